// In charge of the panel for the selected node: its name, its params, inputs and outputs with their issues, and its help.
import type { GraphNode } from '@atelier/contract/graph/definition.ts'
import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CardView } from '../canvas/cards.ts'
import { membersOf, rawNodes } from '../canvas/doc.ts'
import { fieldsOf } from '../canvas/form-fields.ts'
import { groupLabels } from '../canvas/kinds.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { focusCanvas } from '../canvas/use-canvas-focus.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { Help } from '../ui/markdown.tsx'
import { FieldEntry } from './field-entry.tsx'
import { InputEntry } from './input-entry.tsx'
import { type Issue, problemOf } from './issues.ts'
import { UnknownNode } from './unknown-node.tsx'
import type { Editor } from './use-editor.ts'
import type { UnreadField } from './use-unread-json.ts'

type Props = { editor: Editor; view: CardView; node: GraphNode; close: () => void }

export function Inspector({ editor, view, node, close }: Props) {
  const { dispatch, perNode, readOnly } = editor
  const issues = perNode.get(view.id)
  const { info } = view
  const params = membersOf(rawNodes(editor.doc.definition)[view.id], 'params')
  const { key, renamed } = useKeyOf(view.id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the fields inside.
    <div className="inspector-body" onKeyDown={leaveField}>
      <InspectorHead editor={editor} view={view} close={close} renamed={renamed} />
      <div className="side-scroll" key={key}>
        <IssueList issues={(issues ?? []).filter(({ field }) => field === null || !info)} />
        {info ? (
          <>
            {info.available ? null : (
              <p className="notice" data-tone="warn">
                Cannot run here. {info.unavailable_reason}
              </p>
            )}
            <Params
              info={info.params}
              params={params}
              issues={issues}
              disabled={readOnly !== null}
              unreadOf={(name) => editor.unread.at({ node: view.id, member: 'params', name })}
              change={(name, value, isTyped = false) =>
                dispatch({ type: 'value', id: view.id, member: 'params', name, value, isTyped })
              }
            />
            {view.inputs.length > 0 ? <h3 className="side-title">Inputs</h3> : null}
            {view.inputs.map((port) => (
              <InputEntry key={port.name} editor={editor} view={view} node={node} port={port} info={info} />
            ))}
            {view.open ? (
              <p className="hint">Lead an edge to “new input”, or name an input in a template as {'{{ name }}'}.</p>
            ) : null}
            <Outputs view={view} />
            <section className="about">
              <h3 className="side-title">About {info.title}</h3>
              <Help text={info.help} />
              <p className="hint">
                <span className="mono">
                  {info.type} · version {info.version}
                </span>
                {info.credits.note === '' ? '' : ` · ${info.credits.note}`}
              </p>
            </section>
          </>
        ) : (
          <UnknownNode editor={editor} id={view.id} />
        )}
      </div>
    </div>
  )
}

/** Escape leaves a field for the canvas, so that keys are shortcuts of the editor again. An open list of options takes the key first, and closes. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event
  if (key !== 'Escape' || !isCommand(event) || event.defaultPrevented) return
  if (!(target instanceof HTMLElement) || !event.currentTarget.contains(target)) return
  if (target.matches('input, textarea') && !target.matches('[data-expanded]')) focusCanvas()
}

/**
 * Returns a key that changes when another node is shown: fields hold what was typed as it was typed, which must not appear at
 * another node. The key stays the same if the node is renamed, since the field that the user goes on to would lose the focus.
 */
function useKeyOf(id: string): { key: number; renamed: (to: string) => void } {
  const [shown, setShown] = useState({ id, key: 0 })
  if (shown.id !== id) setShown({ id, key: shown.key + 1 })
  return { key: shown.key, renamed: (to) => setShown({ id: to, key: shown.key }) }
}

function InspectorHead({ editor, view, close, renamed }: Omit<Props, 'node'> & { renamed: (to: string) => void }) {
  const { dispatch, readOnly } = editor
  const [name, setName] = useState(view.id)
  const [shown, setShown] = useState(view.id)
  if (shown !== view.id) {
    setShown(view.id)
    setName(view.id)
  }
  const problem = nameProblem(name.trim(), view.id, editor.views)
  const rename = () => {
    const to = name.trim()
    if (problem !== null || to === view.id) return setName(view.id)
    dispatch({ type: 'rename', id: view.id, to })
    renamed(to)
    editor.setSelection({ nodes: new Set([to]), edges: new Set() })
  }
  return (
    <div className="side-head" data-group={view.group}>
      <span className="node-icon">
        <NodeIcon name={view.group} size={16} />
      </span>
      <div className="side-names">
        <h2 className="visually-hidden">{view.id}</h2>
        <TextInput
          size="xs"
          variant="unstyled"
          classNames={{ input: 'node-name' }}
          aria-label="Name of the node"
          readOnly={readOnly !== null}
          error={problem}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={rename}
          onKeyDown={(event) => {
            if (!isCommand(event)) return
            // Leaving the field renames the node, so that Escape first puts the name back.
            if (event.key === 'Escape') flushSync(() => setName(view.id))
            if (event.key === 'Enter' || event.key === 'Escape') focusCanvas()
          }}
        />
        <span className="hint">
          {view.title} · {groupLabels[view.group]}
        </span>
      </div>
      {readOnly === null ? (
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={`Menu of ${view.id}`}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="copy" />} onClick={editor.duplicate}>
              Duplicate
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="trash" />} color="red" onClick={editor.remove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
      <Tooltip label="Close (Esc)">
        <ActionIcon aria-label="Close the inspector" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

function nameProblem(to: string, id: string, views: ReadonlyMap<string, CardView>): string | null {
  if (to === id) return null
  if (to === '' || to.length > 64 || to.includes('/')) return '1 to 64 characters, no slash'
  if (to === '__proto__') return 'No node can have this name'
  return views.has(to) ? 'Another node has this name' : null
}

type ParamsProps = {
  info: Record<string, unknown>
  params: Readonly<Record<string, unknown>>
  issues: readonly Issue[] | undefined
  disabled: boolean
  unreadOf: (name: string) => UnreadField
  change: (name: string, value: unknown, isTyped?: boolean) => void
}

function Params({ info, params, issues, disabled, unreadOf, change }: ParamsProps) {
  const fields = fieldsOf(info)
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.keys(params).filter((name) => !known.has(name))
  return (
    <>
      {fields.map((field) => (
        <FieldEntry
          key={field.name}
          field={field}
          value={params[field.name]}
          error={problemOf(issues, `params.${field.name}`)}
          disabled={disabled}
          unread={unreadOf(field.name)}
          change={(value, isTyped) => change(field.name, value, isTyped)}
        />
      ))}
      {others.map((name) => (
        <div key={name} className="stray">
          <span>
            <span className="mono">{name}</span>: {problemOf(issues, `params.${name}`) ?? 'The type has no such param.'}
          </span>
          {disabled ? null : (
            <Button size="compact-xs" variant="default" onClick={() => change(name, undefined)}>
              Take it away
            </Button>
          )}
        </div>
      ))}
    </>
  )
}

function Outputs({ view }: { view: CardView }) {
  if (view.outputs.length === 0) return null
  return (
    <section>
      <h3 className="side-title">Outputs</h3>
      <ul className="ports">
        {view.outputs.map((port) => (
          <li key={port.name}>
            <span className={`port-dot port-${port.kind}`} />
            <span>{port.title}</span>
            <span className="hint">{port.words}</span>
          </li>
        ))}
      </ul>
      {view.each ? <p className="hint">Lists, because the node runs once for each element.</p> : null}
    </section>
  )
}

function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null
  return (
    <ul className="issue-list">
      {issues.map(({ key, words }) => (
        <li key={key} className="notice" data-tone="danger">
          {words}
        </li>
      ))}
    </ul>
  )
}
