// In charge of one graph in the list of graphs: its name, description and owner, the actions on it, and a template's picture.
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { callerQuery, peopleQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Avatar } from '../ui/person.tsx'
import { forgetDeleted, tell, tellDeleted, tellError } from '../ui/toasts.tsx'
import { GraphPicture } from './graph-picture.tsx'
import type { GraphCard } from './queries.ts'

export function GraphTile({ graph }: { graph: GraphCard }) {
  const now = useNow()
  const caller = useQuery(callerQuery).data
  const people = useQuery(peopleQuery).data
  const actions = useGraphActions()
  const [busy, setBusy] = useState(false)
  const mayWrite = caller?.scopes.includes('graphs:write') ?? false
  const isOwn = caller?.user?.id === graph.owner_id
  const isDeleted = graph.deleted_at !== null
  const wait = (work: Promise<void>) => {
    setBusy(true)
    void work.finally(() => setBusy(false))
  }
  return (
    <li className="tile">
      {graph.template ? <GraphPicture id={graph.id} nodeCount={graph.node_count} /> : null}
      <div className="tile-main">
        <Link to="/graphs/$graph_id" params={{ graph_id: graph.id }} className="tile-name">
          {graph.name}
        </Link>
        <p>{graph.description === '' ? 'No description' : graph.description}</p>
      </div>
      <div className="tile-foot">
        <Avatar id={graph.owner_id} person={people?.find(({ id }) => id === graph.owner_id)} part="Owner" />
        <span className="hint">
          {graph.node_count} {graph.node_count === 1 ? 'node' : 'nodes'} ·{' '}
          {isDeleted ? `deleted ${agoWords(graph.deleted_at ?? '', now)}` : agoWords(graph.updated_at, now)}
        </span>
        {graph.forked_from ? (
          <span className="mark">
            <NodeIcon name="fork" size={12} /> Fork
          </span>
        ) : null}
        <span className="tile-actions">
          {isDeleted && isOwn && mayWrite ? (
            <Button size="compact-xs" variant="light" loading={busy} onClick={() => wait(actions.restore(graph))}>
              Restore
            </Button>
          ) : null}
          {graph.template && !isDeleted && mayWrite ? (
            <Button size="compact-xs" variant="light" loading={busy} onClick={() => wait(actions.fork(graph))}>
              Use
            </Button>
          ) : null}
          {!isDeleted && mayWrite ? (
            <Menu width={180}>
              <Menu.Target>
                <ActionIcon size="sm" aria-label={`Menu of ${graph.name}`}>
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<NodeIcon name="fork" />} onClick={() => wait(actions.fork(graph))}>
                  Fork
                </Menu.Item>
                {isOwn ? (
                  <Menu.Item
                    color="red"
                    leftSection={<Icon name="trash" />}
                    onClick={() => wait(actions.remove(graph))}
                  >
                    Delete
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </span>
      </div>
    </li>
  )
}

function useGraphActions() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => void client.invalidateQueries({ queryKey: ['graphs'] })
  const restore = (graph: GraphCard) =>
    call('restoreGraph', { params: { graph_id: graph.id } })
      .then(() => {
        forgetDeleted(graph.id)
        tell(`“${graph.name}” is back`)
      })
      .catch((error: unknown) => tellError(error, 'Not restored'))
      .finally(refresh)
  return {
    restore,
    remove: (graph: GraphCard) =>
      call('deleteGraph', { params: { graph_id: graph.id } })
        .then(() => tellDeleted(`Deleted “${graph.name}”`, [graph.id], () => void restore(graph)))
        .catch((error: unknown) => tellError(error, 'Not deleted'))
        .finally(refresh),
    fork: async (graph: GraphCard) => {
      try {
        const { id, name } = await call('forkGraph', { params: { graph_id: graph.id } })
        refresh()
        tell(`“${name}” is yours`)
        await navigate({ to: '/graphs/$graph_id', params: { graph_id: id } })
      } catch (error) {
        tellError(error, 'Not forked')
      }
    },
  }
}
