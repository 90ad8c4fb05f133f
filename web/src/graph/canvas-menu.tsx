// In charge of the context menu on the canvas, with the actions for a node, a wire or the canvas itself.

import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { Menu } from '@mantine/core'
import { annotationOf } from '../canvas/annotations.ts'
import type { MenuSubject, Spot } from '../canvas/canvas.tsx'
import type { Point } from '../canvas/doc.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Asked } from './quick-add.tsx'
import { onlyThis, type Trying } from './trying.ts'
import type { Editor } from './use-editor.ts'

type Props = {
  editor: Editor
  about: MenuSubject
  spot: Spot
  ask: (asked: Asked) => void
  trying: Trying | null
  close: () => void
}

export function CanvasMenu({ editor, about, spot, ask, trying, close }: Props) {
  return (
    <Menu opened onClose={close} position="bottom-start" width={230} shadow="md">
      <Menu.Target>
        <span className="menu-spot" style={{ left: spot.x, top: spot.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={labelOf(about)}>
        {about.kind === 'node' ? <NodeItems {...{ editor, trying }} id={about.id} /> : null}
        {about.kind === 'wire' ? (
          <>
            <Menu.Item
              leftSection={<Icon name="plus" />}
              onClick={() => ask({ opening: { kind: 'wire', edge: about.edge }, spot })}
            >
              Insert a node
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" />}
              onClick={() => editor.dispatch({ type: 'remove', ids: [], edges: [edgeName(about.edge)] })}
            >
              Remove the wire
            </Menu.Item>
          </>
        ) : null}
        {about.kind === 'canvas' ? (
          <>
            <Menu.Item leftSection={<Icon name="plus" />} onClick={() => ask({ opening: { kind: 'place' }, spot })}>
              Add a node here
            </Menu.Item>
            <Menu.Item leftSection={<NodeIcon name="note" />} onClick={() => editor.addNote(rounded(spot.at))}>
              Add a note here
            </Menu.Item>
            <Menu.Item leftSection={<NodeIcon name="frame" />} onClick={() => editor.addFrame(rounded(spot.at))}>
              Add a frame here
            </Menu.Item>
            <Menu.Item leftSection={<NodeIcon name="arrange" />} onClick={editor.arrange}>
              Arrange the nodes
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

function NodeItems({ editor, trying, id }: Pick<Props, 'editor' | 'trying'> & { id: string }) {
  const many = editor.selection.nodes.size > 1
  const annotation = annotationOf(editor.doc.annotations, id)
  const held = editor.held(id)
  return (
    <>
      {trying && trying.blocked === null && !trying.isBusy && !annotation ? (
        <>
          <Menu.Item leftSection={<Icon name="run" />} onClick={() => void trying.start({ targets: [id] })}>
            Run up to here
          </Menu.Item>
          {trying.run?.nodes[id] ? (
            <Menu.Item leftSection={<NodeIcon name="roll" />} onClick={() => void trying.start(onlyThis(id))}>
              Run only this again
            </Menu.Item>
          ) : null}
        </>
      ) : null}
      {annotation ? (
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => editor.write(id)}>
          Change its words
        </Menu.Item>
      ) : null}
      <Menu.Item leftSection={<Icon name="copy" />} onClick={editor.duplicate}>
        Duplicate
      </Menu.Item>
      {many || !annotation ? (
        <Menu.Item leftSection={<NodeIcon name="frame" />} onClick={() => editor.addFrame()}>
          Draw a frame around {many ? 'all selected' : 'it'}
        </Menu.Item>
      ) : null}
      <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={editor.remove}>
        Remove {many ? 'all selected' : ''}
      </Menu.Item>
      {held.length > 0 && !many ? (
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => editor.removeAll([id, ...held])}>
          Remove with what is in it
        </Menu.Item>
      ) : null}
    </>
  )
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

const labelOf = (about: MenuSubject): string =>
  about.kind === 'node' ? `Menu of ${about.id}` : about.kind === 'wire' ? 'Menu of the wire' : 'Menu of the canvas'
