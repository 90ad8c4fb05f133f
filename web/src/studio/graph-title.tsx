// In charge of the title of the graph in the editor's bar: its name, which can be changed, and what it is a fork of.
import { Anchor, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Graph } from '../graph/queries.ts'
import { wordsOf } from '../lib/errors.ts'
import { isCommand } from '../ui/keys.ts'

type Props = {
  graph: Graph
  readOnly: string | null
  isTemplate: boolean
  /** Saves a new name; throws if that fails. */
  rename: (name: string) => Promise<void>
}

export function GraphTitle({ graph, readOnly, isTemplate, rename }: Props) {
  const [name, setName] = useState(graph.name)
  const [kept, setKept] = useState(graph.name)
  const [error, setError] = useState<string | null>(null)
  // If another person renames the graph, the field shows the new name, unless the user has typed something else in it.
  useEffect(() => {
    setName((before) => (before === kept ? graph.name : before))
    setKept(graph.name)
  }, [graph])
  const save = async () => {
    const next = name.trim()
    if (next === '' || next === kept) return setName(kept)
    try {
      await rename(next)
      setKept(next)
      setError(null)
    } catch (problem) {
      setError(wordsOf(problem))
    }
  }
  return (
    <div className="studio-title">
      <h1 className="visually-hidden">{kept}</h1>
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
        error={error}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
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
