// In charge of the tab with the details of a task: its members in groups, its variants, and its counts and times.
import type { Task } from '@atelier/contract/tasks.ts'
import type { ReactNode } from 'react'
import { useBoard } from '../board/board-context.ts'
import { namedApart } from '../lib/apart.ts'
import { fullWords, workWords } from '../lib/dates.ts'
import type { Labelled } from '../lib/types.ts'
import { TaskField } from './field.tsx'
import { type FieldSpec, fieldGroups, leadFields } from './field-list.ts'
import type { SaveTask } from './use-task-edit.ts'
import { Variants } from './variants.tsx'
import './details.css'

type Props = { task: Task; save: SaveTask; disabled: boolean }

export function Details({ task, save, disabled }: Props) {
  const props = { task, save, disabled }
  return (
    <div className="details">
      <Fields fields={leadFields} {...props} />
      {fieldGroups.map(({ title, help, isFolded, fields }) => {
        const inside = (
          <>
            {help ? <p className="hint">{help}</p> : null}
            <Fields fields={fields} {...props} />
          </>
        )
        return isFolded ? (
          <Folded key={title} title={title} fields={fields} task={task}>
            {inside}
          </Folded>
        ) : (
          <section key={title}>
            <h3>{title}</h3>
            {inside}
          </section>
        )
      })}
      <Variants {...props} />
      <Counted task={task} />
    </div>
  )
}

type FoldedProps = { title: string; fields: readonly FieldSpec[]; task: Task; children: ReactNode }

/** A group of fields that is collapsed at first; the heading shows how many of the fields are filled in. */
function Folded({ title, fields, task, children }: FoldedProps) {
  const values: Readonly<Record<string, unknown>> = task
  const filled = fields.filter(({ name, kind }) => isFilledIn(values[name], kind)).length
  return (
    <details className="folded">
      <summary>
        <h3>{title}</h3>
        <span className="hint">{filled === 0 ? 'nothing filled in' : `${filled} of ${fields.length} filled in`}</span>
      </summary>
      {children}
    </details>
  )
}

/** Whether a user filled in the member. A flag that is off and the state “not tested” do not count: a new task begins with them. */
function isFilledIn(value: unknown, kind: FieldSpec['kind']): boolean {
  if (kind === 'test') return value !== 'not_tested'
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== '' && value !== false
}

function Fields({ fields, task, save, disabled }: Props & { fields: readonly FieldSpec[] }) {
  const optionsOf = useOptions()
  const { schema } = useBoard()
  const values: Readonly<Record<string, unknown>> = task
  return (
    <div className="fields">
      {fields.map((spec) => {
        const label = spec.label ?? schema.filter_fields.find(({ name }) => name === spec.name)?.label ?? spec.name
        const closed = spec.name === 'launched_at' && !task.manual_launch
        return (
          <div key={spec.name} className="field" data-wide={spec.wide || undefined}>
            <TaskField
              spec={spec}
              label={label}
              value={values[spec.name]}
              options={optionsOf(spec, values[spec.name])}
              save={save}
              disabled={disabled || closed}
            />
          </div>
        )
      })}
    </div>
  )
}

/** The choices for a member of a task. Inactive users are left out, except a user who is the present value of the field. */
function useOptions(): (spec: FieldSpec, value: unknown) => readonly Labelled[] {
  const { schema, people, products } = useBoard()
  return ({ kind, vocabulary }, value) => {
    switch (kind) {
      case 'person':
        // A person who was deactivated may still be the value of this field; then the field has to show the person's name.
        return namedApart([...people.values()].filter(({ active, id }) => active || id === value)).map(
          ({ id, name }) => ({ value: id, label: name }),
        )
      case 'product':
        return [...products.values()].map(({ id, name }) => ({ value: id, label: name }))
      case 'test':
        return schema.filter_fields.find(({ name }) => name === 'test_status')?.values ?? []
      default:
        return vocabulary ? (schema.vocabularies[vocabulary] ?? []) : []
    }
  }
}

function Counted({ task }: { task: Task }) {
  const time = (at: string | null) => (at === null ? null : fullWords(at))
  const { rollups } = task
  const facts: [string, string | number | null][] = [
    ['Campaign id', task.ad_id],
    ['Created', time(task.created_at)],
    ['First in progress', time(task.started_at)],
    ['First check', time(task.submitted_at)],
    ['Completed', time(task.completed_at)],
    ['In this column since', time(task.status_entered_at)],
    ['Time in progress', task.time_in_progress_seconds > 0 ? workWords(task.time_in_progress_seconds) : null],
    ['Time on check', task.time_on_check_seconds > 0 ? workWords(task.time_on_check_seconds) : null],
    ['Came back from a check', rollups.return_count ? `${rollups.return_count} ×` : null],
    ['Creation points', rollups.creation_points],
    ['Execution points', rollups.execution_points],
    ['Tasks derived from it', rollups.derived_task_count || null],
  ]
  return (
    <section>
      <h3>Counted and timed</h3>
      <dl className="facts">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}
