// In charge of the small menu for adding a node: at the end of a wire that was dropped, within a wire, or at a position.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { TextInput, UnstyledButton } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { Spot } from '../canvas/canvas.tsx'
import { measure } from '../canvas/cards.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { outsidePresses } from '../ui/theme.ts'
import { type Fitting, fittings, type Opening } from './quick-types.ts'
import { foundTypes } from './type-search.ts'
import type { Editor } from './use-editor.ts'

export type Asked = { opening: Opening; spot: Spot }

const width = 300
const height = 340

type Props = Asked & { editor: Editor; close: () => void }

export function QuickAdd({ editor, opening, spot, close }: Props) {
  const [search, setSearch] = useState('')
  const box = useClickOutside(close, outsidePresses, undefined, true, true)
  const all = useMemo(
    () => fittings(editor.definition, editor.types, opening),
    [editor.definition, editor.types, opening],
  )
  const found = useMemo(() => inOrder(all, search), [all, search])
  const pick = (fitting: Fitting) => {
    const at = placeOf(opening, spot)
    editor.addFitting(fitting, at, opening.kind === 'wire' ? [edgeName(opening.edge)] : [])
    close()
  }
  return (
    <div
      ref={box}
      className="quick-add"
      role="dialog"
      aria-label={titleOf(opening)}
      style={{
        left: Math.max(8, Math.min(spot.x, innerWidth - width - 8)),
        top: Math.max(8, Math.min(spot.y, innerHeight - height - 8)),
      }}
      // Left by Tab, it would stay open, and the keys would be those of the editor.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isCommand(event)) close()
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event)
      }}
    >
      <TextInput
        size="xs"
        // The menu opens with the focus in this field, so that the user can type the search text at once.
        autoFocus
        aria-label={titleOf(opening)}
        placeholder={titleOf(opening)}
        leftSection={<Icon name="search" size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found
          if (event.key !== 'Enter' || !isCommand(event) || !first) return
          event.preventDefault()
          pick(first)
        }}
      />
      <ul className="quick-list">
        {found.map((fitting) => (
          <li key={fitting.type.type}>
            <UnstyledButton className="quick-entry" data-group={fitting.type.group} onClick={() => pick(fitting)}>
              <span className="node-icon">
                <NodeIcon name={fitting.type.group} size={14} />
              </span>
              <span className="node-names">
                <strong>{fitting.type.title}</strong>
                <span>{fitting.type.available ? fitting.type.summary : 'Cannot run here.'}</span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="hint">Nothing that fits is called so.</p> : null}
    </div>
  )
}

/** The node types of `all` that match the search text. If it is blank, those that fit best come first, unavailable ones last. */
function inOrder(all: readonly Fitting[], search: string): Fitting[] {
  const byType = new Map(all.map((fitting) => [fitting.type.type, fitting]))
  const found = foundTypes(
    [...byType.values()].map(({ type }) => type),
    search,
  ).flatMap(({ type }) => byType.get(type) ?? [])
  if (search.trim() !== '') return found
  const rank = ({ rank, type }: Fitting) => rank + (type.available ? 0 : 10)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The position for the top left corner of the new node. At the dropped end of a wire, the first port of the node lies at that end;
 * within a wire, the node lies around the click.
 */
function placeOf(opening: Opening, { at }: Spot): { x: number; y: number } {
  const port = measure.head + measure.row / 2
  if (opening.kind === 'place') return at
  if (opening.kind === 'wire') return { x: at.x - measure.width / 2, y: at.y - port }
  return { x: opening.end.side === 'source' ? at.x : at.x - measure.width, y: at.y - port }
}

const titleOf = (opening: Opening): string => {
  switch (opening.kind) {
    case 'place':
      return 'Add a node'
    case 'wire':
      return `Insert after ${portName(opening.edge.from)}`
    case 'end':
      return opening.end.side === 'source' ? `Lead ${portName(opening.end)} to` : `Feed ${portName(opening.end)} from`
  }
}

const portName = ({ node, port }: GraphEdge['from']): string => `${node} · ${port}`

/** Moves the focus between the search field and the list, and within the list. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('.quick-entry')]
  const now = entries.findIndex((entry) => entry.matches(':focus'))
  const next = entries[now + (event.key === 'ArrowDown' ? 1 : -1)]
  const field = event.currentTarget.querySelector<HTMLElement>('input')
  event.preventDefault()
  if (next) next.focus()
  else if (event.key === 'ArrowUp') field?.focus()
}
