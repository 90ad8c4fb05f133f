// In charge of showing, before an export, the names that the exported files will get as creatives. The service plans the names.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Picture } from '../canvas/picture.tsx'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { chipsOf } from '../lib/marks-words.ts'
import { taskQuery } from '../lib/queries.ts'
import { exportBody, isPlanned, type Variants } from './export-body.ts'
import type { Output } from './outputs.ts'
import type { Run } from './queries.ts'

type Planned = CallResult<'planExport'>['files'][number]

type Props = {
  run: Run
  taskId: string
  outputs: readonly Output[]
  variants: Variants
  setVariants: (variants: Variants) => void
}

/** The names are planned again each time the dialog opens, because other creatives may have got some of the names meanwhile. */
export function ExportNames({ run, taskId, outputs, variants, setVariants }: Props) {
  const body = exportBody(taskId, outputs, variants)
  const planned = useQuery(taskQuery(taskId)).data?.task.variants.map(({ variation_num }) => variation_num) ?? []
  const plan = useQuery({
    queryKey: ['export-plan', run.id, run.updated_at, body],
    queryFn: ({ signal }) => call('planExport', { params: { run_id: run.id }, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (plan.error) {
    return (
      <p className="notice" data-tone="warn" role="alert">
        {wordsOf(plan.error)}
      </p>
    )
  }
  if (!plan.data) return <p className="hint">Looking at the names …</p>
  const fresh = plan.data.files.filter(({ creative_id }) => creative_id === null)
  const there = plan.data.files.filter(({ creative_id }) => creative_id !== null)
  return (
    <div className="export-names" aria-busy={plan.isFetching}>
      <NameList title={fresh.length === 1 ? 'The new creative' : `${fresh.length} new creatives`}>
        {fresh.map((file) => {
          const output = outputOf(file, outputs)
          return (
            <Named
              key={`${file.node_id} ${file.port} ${file.item} ${file.index} ${file.name}`}
              file={file}
              output={output}
            >
              {output && planned.length > 0 ? (
                <VariantChoice
                  label={`Variant of ${file.name}`}
                  planned={planned}
                  value={variants.get(output.key)}
                  change={(value) => setVariants(withVariant(variants, output.key, value))}
                />
              ) : null}
            </Named>
          )
        })}
      </NameList>
      <NameList title="On the card already">
        {there.map((file) => (
          <Named
            key={`${file.node_id} ${file.port} ${file.item} ${file.index} ${file.name}`}
            file={file}
            output={outputOf(file, outputs)}
          />
        ))}
      </NameList>
    </div>
  )
}

/** Returns the output of a planned file; undefined, for example, if it was just unselected and the new plan is not loaded yet. */
const outputOf = (file: Planned, outputs: readonly Output[]): Output | undefined =>
  outputs.find((output) => isPlanned(output, file))

function withVariant(variants: Variants, key: string, value: number | null | undefined): Variants {
  const next = new Map(variants)
  if (value === undefined) next.delete(key)
  else next.set(key, value)
  return next
}

function NameList({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section>
      <h3 className="side-title">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <ul aria-label={title} tabIndex={0}>
        {children}
      </ul>
    </section>
  )
}

type NamedProps = { file: Planned; output: Output | undefined; children?: ReactNode }

/** Shows a file next to the name that it will get. */
function Named({ file: { name, ai }, output, children }: NamedProps) {
  return (
    <li className="mono">
      {output ? (
        <span className="export-small">
          <Picture file={output.file} alt="" small />
        </span>
      ) : null}
      <span>{name}</span>
      <AiMark ai={ai} />
      {children}
    </li>
  )
}

type ChoiceProps = {
  label: string
  planned: readonly number[]
  value: number | null | undefined
  change: (value: number | null | undefined) => void
}

const [asPlanned, none] = ['planned', 'none']

/** A native select, because it renders fast and an export can have hundreds of these selects. */
function VariantChoice({ label, planned, value, change }: ChoiceProps) {
  return (
    <select
      className="export-variant"
      aria-label={label}
      value={value === undefined ? asPlanned : (value ?? none)}
      onChange={({ currentTarget: { value: chosen } }) =>
        change(chosen === asPlanned ? undefined : chosen === none ? null : Number(chosen))
      }
    >
      <option value={asPlanned}>As planned</option>
      {planned.map((variant) => (
        <option key={variant} value={variant}>
          V{variant}
        </option>
      ))}
      <option value={none}>No variant</option>
    </select>
  )
}

/** Says that the file was generated by AI, or made with its help; shows nothing if neither is known. */
const AiMark = ({ ai }: Pick<Planned, 'ai'>) =>
  chipsOf({ ai, demands: [] }).map(({ words, tone }) => (
    <span key={words} className="mark export-ai" data-tone={tone}>
      {words}
    </span>
  ))
