// In charge of the palette: the searchable list of all node types by group. A click on a type, or dragging it, adds a node.
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { ActionIcon, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { type RefObject, useMemo, useState } from 'react'
import { dragType } from '../canvas/canvas.tsx'
import { groupLabels } from '../canvas/kinds.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { foundTypes, grouped } from './type-search.ts'

type Props = {
  types: ReadonlyMap<string, NodeType>
  add: (type: string) => void
  close: () => void
  field: RefObject<HTMLInputElement | null>
}

export function Palette({ types, add, close, field }: Props) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => foundTypes([...types.values()], search), [types, search])
  const [first] = found
  // During a search the best match comes first; otherwise the node types are listed by group.
  const groups = search.trim() === '' ? grouped(found) : [{ group: null, types: found }]
  return (
    <aside className="palette" aria-label="Node types">
      <div className="side-head">
        <TextInput
          ref={field}
          size="xs"
          aria-label="Find a node type"
          placeholder="Find a node type"
          leftSection={<Icon name="search" size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!isCommand(event)) return
            if (event.key === 'Enter' && first) {
              add(first.type)
              setSearch('')
            } else if (event.key === 'Escape') close()
            // The key that led here: pressed once more for the next node, it is no search.
            else if (event.key === '/' && search === '') event.preventDefault()
          }}
        />
        <Tooltip label="Close the palette">
          <ActionIcon aria-label="Close the palette" onClick={close}>
            <Icon name="left" />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className="side-scroll">
        <h2 className="visually-hidden">Node types</h2>
        {found.length === 0 ? <p className="hint palette-none">No node type is called “{search}”.</p> : null}
        {groups.map(({ group, types }) => (
          <section key={group} aria-label={group === null ? 'Found' : groupLabels[group]}>
            {group === null ? null : <h3>{groupLabels[group]}</h3>}
            {types.map((type) => (
              <PaletteEntry key={type.type} type={type} add={add} />
            ))}
          </section>
        ))}
      </div>
    </aside>
  )
}

function PaletteEntry({ type, add }: { type: NodeType; add: (type: string) => void }) {
  return (
    <UnstyledButton
      className="palette-entry"
      data-group={type.group}
      data-off={!type.available || undefined}
      draggable
      title={type.summary}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, type.type)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      // The second click of a double click adds no second node.
      onClick={({ detail }) => detail < 2 && add(type.type)}
    >
      <span className="node-icon">
        <NodeIcon name={type.group} size={15} />
      </span>
      <span>
        <strong>{type.title}</strong>
        <span>{type.available ? type.summary : `Cannot run here. ${type.unavailable_reason ?? ''}`}</span>
      </span>
    </UnstyledButton>
  )
}
