// In charge of the palette: every type of node there is, by group, found by a word, added by a click or a drag.

import { nodeGroups } from '@atelier/contract/node-groups.ts'
import type { NodeType } from '@atelier/contract/node-types.ts'
import { ActionIcon, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { type RefObject, useMemo, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { dragType } from './canvas.tsx'
import { groupLabels } from './kinds.ts'
import { NodeIcon } from './node-icons.tsx'

type Props = {
  types: ReadonlyMap<string, NodeType>
  add: (type: string) => void
  close: () => void
  field: RefObject<HTMLInputElement | null>
}

export function Palette({ types, add, close, field }: Props) {
  const [search, setSearch] = useState('')
  const groups = useMemo(() => found(types, search), [types, search])
  const [first] = groups.flatMap(({ types }) => types)
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
            if (event.key === 'Enter' && first) {
              add(first.type)
              setSearch('')
            } else if (event.key === 'Escape') close()
          }}
        />
        <Tooltip label="Close the palette">
          <ActionIcon aria-label="Close the palette" onClick={close}>
            <Icon name="left" />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className="side-scroll">
        {groups.length === 0 ? <p className="hint palette-none">No node type is called “{search}”.</p> : null}
        {groups.map(({ group, types }) => (
          <section key={group} aria-label={groupLabels[group]}>
            <h3>{groupLabels[group]}</h3>
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
      onClick={() => add(type.type)}
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

/** What was dropped is not offered any more; a graph that has it still shows it. */
function found(types: ReadonlyMap<string, NodeType>, search: string) {
  const words = search.toLowerCase().split(/\s+/)
  const matches = [...types.values()].filter(
    ({ type, title, summary, replaced_by, group }) =>
      replaced_by === null &&
      words.every((word) => `${type} ${title} ${summary} ${groupLabels[group]}`.toLowerCase().includes(word)),
  )
  return nodeGroups.flatMap((group) => {
    const ones = matches.filter((type) => type.group === group)
    return ones.length === 0 ? [] : [{ group, types: ones }]
  })
}
