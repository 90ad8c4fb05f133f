// In charge of one input in the inspector: its edges or its own value, and whether the node runs once for each element of a list.
import type { GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import { edgeFaults, edgeName, valueSchema } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import type { NodeVersion } from '@atelier/contract/graph/node-types.ts'
import { ActionIcon, Select, Switch, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { CardView, Port } from '../canvas/cards.ts'
import { misfitOf } from '../canvas/connecting.ts'
import { fieldOf } from '../canvas/form-fields.ts'
import { Icon } from '../ui/icons.tsx'
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
  return (
    <div className="input-entry">
      <div className="input-head">
        <span className={`port-dot port-${port.kind}`} />
        <strong>{port.title}</strong>
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
      {edges.map((edge) => (
        <Feed key={edgeName(edge)} editor={editor} edge={edge} isOff={isOff} />
      ))}
      {misfit === undefined ? null : <p className="hint problem">A run would fail here: {misfit}.</p>}
      {edges.length > 0 && error !== null ? <p className="hint problem">{error}</p> : null}
      {!isOff && (edges.length === 0 || port.many) ? <ConnectFrom editor={editor} to={view.id} port={port} /> : null}
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
    </div>
  )
}

const eachWords = 'It takes a list and runs once per element; its outputs become lists in the same order.'
/** Graphs written by other means may have this, and can only be mended by turning it off. */
const manyWords = 'It takes several edges and whole lists, so it cannot be run over: turn this off.'

function Feed({ editor, edge, isOff }: { editor: Editor; edge: GraphEdge; isOff: boolean }) {
  return (
    <div className="feed">
      <Icon name="link" size={14} />
      <button type="button" className="link-button" onClick={() => editor.show(edge.from.node)}>
        {edge.from.node} · {edge.from.port}
      </button>
      {isOff ? null : (
        <Tooltip label="Remove the edge">
          <ActionIcon
            size="sm"
            aria-label={`Remove the edge from ${edge.from.node}`}
            onClick={() => editor.dispatch({ type: 'remove', ids: [], edges: [edgeName(edge)] })}
          >
            <Icon name="close" size={13} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}

/** Lets users connect the input by keyboard: a searchable list of the outputs that fit, computed when the field gets the focus. */
function ConnectFrom({ editor, to, port }: { editor: Editor; to: string; port: Port }) {
  const [options, setOptions] = useState<{ value: string; label: string; edge: GraphEdge }[]>([])
  const lookUp = () => setOptions(fitting(editor, to, port.name))
  return (
    <Select
      size="xs"
      aria-label={`Connect ${port.title} from`}
      placeholder="Connect from …"
      searchable
      nothingFoundMessage="Nothing here gives what this takes"
      leftSection={<Icon name="link" size={14} />}
      data={options.map(({ value, label }) => ({ value, label }))}
      value={null}
      onDropdownOpen={lookUp}
      onFocus={lookUp}
      onChange={(value) => {
        const chosen = options.find((option) => option.value === value)
        if (chosen) editor.connect(chosen.edge)
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
