// In charge of the panel for a node whose type or version is unknown to this server: the user can change its params and inputs, see
// its JSON, and turn it into a known version of its type, or into the type that has replaced its type.
import { Button } from '@mantine/core'
import { membersOf, rawNodes } from '../canvas/doc.ts'
import { fieldOf } from '../canvas/form-fields.ts'
import { FieldEntry } from './field-entry.tsx'
import type { Editor } from './use-editor.ts'

export function UnknownNode({ editor, id }: { editor: Editor; id: string }) {
  const raw = rawNodes(editor.doc.definition)[id]
  const node = editor.definition.nodes[id]
  const known = node && editor.types.get(node.type)
  const successor = known?.replaced_by ?? (known && { type: known.type, version: known.version })
  const isOff = editor.readOnly !== null
  return (
    <>
      <p className="hint">
        The node stays in the graph as it is. The graph cannot run until it is removed or has a type that is known here.
      </p>
      {successor && !isOff ? (
        <Button variant="light" onClick={() => editor.dispatch({ type: 'retype', id, to: successor })}>
          Make it {successor.type}, version {successor.version}
        </Button>
      ) : null}
      {(['params', 'inputs'] as const).flatMap((member) =>
        Object.entries(membersOf(raw, member)).map(([name, value]) => (
          <FieldEntry
            key={`${member}.${name}`}
            field={fieldOf(name, {}, false)}
            value={value}
            error={null}
            disabled={isOff}
            unread={editor.unread.at({ node: id, member, name })}
            change={(next, isTyped = false) =>
              editor.dispatch({ type: 'value', id, member, name, value: next, isTyped })
            }
          />
        )),
      )}
      <details className="raw">
        <summary>As it is written</summary>
        <pre>{JSON.stringify(raw, null, 2)}</pre>
      </details>
    </>
  )
}
