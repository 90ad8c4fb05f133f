// In charge of one input in the inspector: its edges or its own value, and whether the node runs once for each element of a list.
import type { GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import { edgeFaults, edgeName, valueSchema } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import type { NodeVersion } from '@atelier/contract/graph/node-types.ts'
import { ActionIcon, Switch, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CardView, Port } from '../canvas/cards.ts'
import { misfitOf } from '../canvas/connecting.ts'
import { fieldOf } from '../canvas/form-fields.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icons.tsx'
import { meaningOf } from './editor-keys.ts'
import { FieldEntry } from './field-entry.tsx'
import { problemOf } from './issues.ts'
import type { Editor } from './use-editor.ts'

type Props = { editor: Editor; view: CardView; node: GraphNode; port: Port; info: NodeVersion }

export function InputEntry({ editor, view, node, port, info }: Props) {
  const { dispatch, definition, perNode, readOnly } = editor
  const edges = definition.edges.filter(({ to }) => to.node === view.id && to.port === port.name)
  const isOff = readOnly !== null
  const value = node.inputs[port.name]
  const misfit = edges.map((edge) => misfitOf(definition, editor.types, edge)).find((words) => words !== null)
  const error = problemOf(perNode.get(view.id), `inputs.${port.name}`)
  const schema = valueSchema(node, info, port.name)
  const description = info.inputs[port.name]?.description ?? 'A variable of the template.'
  const name = useId()
  const joining = useJoining(editor, port)
  return (
    <fieldset ref={joining.entry} className="input-entry" aria-labelledby={name}>
      <div className="input-head">
        <span className={`port-dot port-${port.kind}`} />
        <strong id={name}>{port.title}</strong>
        <span className="hint">
          {port.words}
          {port.required ? ', needed' : ''}
        </span>
      </div>
      {edges.length === 0 && (!isOff || value !== undefined) ? (
        <FieldEntry
          field={{ ...fieldOf(port.name, schema ?? {}, false), title: 'Value', description }}
          value={value}
          error={error}
          disabled={isOff}
          unread={editor.unread.at({ node: view.id, member: 'inputs', name: port.name })}
          change={(value, isTyped = false) =>
            dispatch({ type: 'value', id: view.id, member: 'inputs', name: port.name, value, isTyped })
          }
        />
      ) : null}
      {edges.map((edge, at) => (
        <Feed
          key={edgeName(edge)}
          {...{ editor, edge }}
          remove={isOff ? null : (isByKey) => joining.remove(edge, isByKey ? at : null)}
        />
      ))}
      {misfit === undefined ? null : <p className="hint problem">A run would fail here: {misfit}.</p>}
      {edges.length > 0 && error !== null ? <p className="hint problem">{error}</p> : null}
      {!isOff && (edges.length === 0 || port.many) ? <ConnectFrom {...{ editor, port, joining }} to={view.id} /> : null}
      {(port.many || isOff) && !port.each ? null : (
        <Switch
          size="xs"
          label="Run once for each element"
          description={port.each ? (port.many ? manyWords : eachWords) : undefined}
          disabled={isOff}
          checked={port.each}
          onChange={(event) =>
            dispatch({ type: 'each', id: view.id, port: port.name, on: event.currentTarget.checked })
          }
        />
      )}
    </fieldset>
  )
}

const eachWords = 'It takes a list and runs once per element; its outputs become lists in the same order.'
/** Graphs written by other means may have this, and can only be mended by turning it off. */
const manyWords = 'It takes several edges and whole lists, so it cannot be run over: turn this off.'

/**
 * Connects the input, and removes its edges. The control that did it disappears with that; what takes its place gets the focus, so
 * that a user who goes on by keyboard is still at this input. A user of the mouse goes on at the canvas, with its keys.
 */
function useJoining(editor: Editor, port: Port) {
  const entry = useRef<HTMLFieldSetElement>(null)
  const field = useRef<HTMLInputElement>(null)
  /** Whether the field has the focus because an edge was removed: then its list does not open, as the user has not asked for it. */
  const [isAfter, setIsAfter] = useState(false)
  const removals = () => [...(entry.current?.querySelectorAll<HTMLElement>('.feed > button:last-child') ?? [])]
  const connect = (edge: GraphEdge) => {
    flushSync(() => editor.connect(edge))
    // The field of an input that takes several edges stays.
    if (!port.many) removals().at(-1)?.focus()
  }
  /** `at`: the place of the edge among those of the input, if it is removed by keyboard; otherwise null. */
  const remove = (edge: GraphEdge, at: number | null) => {
    flushSync(() => {
      setIsAfter(at !== null)
      editor.dispatch({ type: 'remove', ids: [], edges: [edgeName(edge)] })
    })
    if (at === null) return
    const left = removals()
    ;(left[Math.min(at, left.length - 1)] ?? field.current)?.focus()
  }
  /** In an empty field, the browser has nothing to undo. */
  const undo = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isAfter || event.currentTarget.value !== '' || meaningOf(event)?.kind !== 'undo') return
    event.preventDefault()
    flushSync(() => editor.dispatch({ type: 'undo' }))
    removals().at(-1)?.focus()
  }
  return { entry, field, connect, remove, undo, isAfter, leave: () => setIsAfter(false) }
}

/** `remove`: null if the edge cannot be removed. */
type FeedProps = { editor: Editor; edge: GraphEdge; remove: ((isByKey: boolean) => void) | null }

function Feed({ editor, edge, remove }: FeedProps) {
  return (
    <div className="feed">
      <Icon name="link" size={14} />
      <button type="button" className="link-button" onClick={() => editor.show(edge.from.node)}>
        {edge.from.node} · {edge.from.port}
      </button>
      {remove === null ? null : (
        <Tooltip label="Remove the edge">
          <ActionIcon
            size="sm"
            aria-label={`Remove the edge from ${edge.from.node}`}
            onClick={({ detail }) => remove(detail === 0)}
            onKeyDown={(event) => {
              // The Enter that chose the edge may still be held down.
              if (event.key === 'Enter' && event.repeat) event.preventDefault()
            }}
          >
            <Icon name="close" size={13} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}

type ConnectProps = { editor: Editor; to: string; port: Port; joining: ReturnType<typeof useJoining> }

/** Lets users connect the input by keyboard: a searchable list of the outputs that fit, computed when the field gets the focus. */
function ConnectFrom({ editor, to, port, joining }: ConnectProps) {
  const [options, setOptions] = useState<{ value: string; label: string; edge: GraphEdge }[]>([])
  const lookUp = () => setOptions(fitting(editor, to, port.name))
  return (
    <Choice
      ref={joining.field}
      size="xs"
      aria-label={`Connect ${port.title} from`}
      placeholder="Connect from …"
      searchable
      nothingFoundMessage="Nothing here gives what this takes"
      leftSection={<Icon name="link" size={14} />}
      data={options.map(({ value, label }) => ({ value, label }))}
      value={null}
      openOnFocus={!joining.isAfter}
      onDropdownOpen={lookUp}
      onFocus={lookUp}
      onBlur={joining.leave}
      onKeyDown={joining.undo}
      onChange={(value) => {
        const chosen = options.find((option) => option.value === value)
        if (chosen) joining.connect(chosen.edge)
      }}
    />
  )
}

const shown = 200

function fitting({ definition, types, views, problemOf }: Editor, to: string, port: string) {
  const after = downstreamOf(definition, [to])
  const found: { value: string; label: string; edge: GraphEdge }[] = []
  for (const view of views.values()) {
    if (view.id === to || after.has(view.id)) continue
    for (const { name, title } of view.outputs) {
      const edge = { from: { node: view.id, port: name }, to: { node: to, port } }
      const isThere = definition.edges.some((one) => edgeName(one) === edgeName(edge))
      const fits = edgeFaults(definition, types, edge).length === 0 || problemOf(edge) === null
      if (!isThere && fits) found.push({ value: edgeName(edge), label: `${view.id} · ${title}`, edge })
    }
    if (found.length > shown) break
  }
  return found
}
