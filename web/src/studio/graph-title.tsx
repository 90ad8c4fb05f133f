// In charge of the title of the graph in the editor's bar: its name, which can be changed, and what it is a fork of. A name that is
// typed and not saved yet is kept with the other unsaved texts, because the editor restarts when it shows what others have saved.
import { Anchor, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Graph } from '../graph/queries.ts'
import { wordsOf } from '../lib/errors.ts'
import { keptText, useKeptText } from '../review/use-kept-text.ts'
import { isCommand } from '../ui/keys.ts'

type Props = {
  graph: Graph
  readOnly: string | null
  isTemplate: boolean
  /** Saves a new name; throws if that fails. */
  rename: (name: string) => Promise<void>
}

export function GraphTitle({ graph, readOnly, isTemplate, rename }: Props) {
  const [stored, setStored] = useState(graph.name)
  useEffect(() => setStored(graph.name), [graph])
  const key = `${graph.id} name`
  const { text, write, forget } = useKeptText(key, stored)
  const [error, setError] = useState(() => (text === stored ? null : `Not saved: it is called “${stored}” now.`))
  const save = async () => {
    if (readOnly !== null) return
    const next = text.trim()
    if (next === '' || next === stored) {
      setError(null)
      return forget()
    }
    try {
      await rename(next)
      setStored(next)
      setError(null)
      // The user may have typed something else meanwhile, which is not saved yet.
      if (keptText(key) === text) forget()
    } catch (problem) {
      setError(wordsOf(problem))
    }
  }
  return (
    <div className="studio-title">
      <h1 className="visually-hidden">{stored}</h1>
      <Anchor className="crumb" renderRoot={(props) => <Link to="/graphs" {...props} />}>
        Graphs
      </Anchor>
      <span aria-hidden="true">/</span>
      <TextInput
        size="sm"
        variant="unstyled"
        classNames={{ input: 'title-input' }}
        aria-label="Name of the graph"
        maxLength={255}
        readOnly={readOnly !== null}
        error={readOnly === null ? error : null}
        value={readOnly === null ? text : stored}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isCommand(event)) event.currentTarget.blur()
        }}
      />
      {isTemplate ? (
        <span className="mark" data-tone="accent">
          Template
        </span>
      ) : null}
      {graph.forked_from ? (
        <Anchor
          className="mark"
          renderRoot={(props) => (
            <Link to="/graphs/$graph_id" params={{ graph_id: graph.forked_from ?? '' }} {...props} />
          )}
        >
          Fork of another graph
        </Anchor>
      ) : null}
    </div>
  )
}
