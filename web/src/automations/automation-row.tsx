// In charge of one automation in the list: a sentence that describes it, a switch, and a menu for editing and deleting it.
import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { byId } from '../board/board-context.ts'
import { useFilterFields } from '../board/use-filter-fields.ts'
import { call } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { personName } from '../lib/people.ts'
import { automationsQuery, peopleQuery, schemaQuery, tokensQuery } from '../lib/queries.ts'
import type { Automation } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError, tellUndoable } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { outputWords } from './file-outputs.ts'
import { ownerHint } from './owner-hint.ts'
import { ruleWords } from './rule-words.ts'
import { useOutputs } from './use-outputs.ts'

type Props = { automation: Automation; edit: (() => void) | null }

export function AutomationRow({ automation, edit }: Props) {
  const { id, name, enabled } = automation
  const { person, hint } = useOwner(automation.owner_id, edit !== null)
  const turn = useWrite({
    write: (enabled: boolean) => call('patchAutomation', { params: { automation_id: id }, body: { enabled } }),
    list: automationsQuery.queryKey,
  })
  const remove = useRemove(automation)
  const isOn = turn.isPending ? turn.variables : enabled
  return (
    <li className="panel automation" data-off={!isOn || undefined}>
      <Switch
        size="sm"
        checked={isOn}
        disabled={edit === null}
        aria-label={`${name} is on`}
        onChange={(event) => turn.mutate(event.currentTarget.checked)}
      />
      <div className="automation-text">
        <h2>{name}</h2>
        <Sentence automation={automation} />
        <p className="hint">
          {isOn ? 'On' : 'Off'} · acts for {person ? personName(person) : 'an integration'}
        </p>
        {hint === null ? null : <p className="problem">{hint}</p>}
      </div>
      {edit === null ? null : (
        <Menu width={160}>
          <Menu.Target>
            <ActionIcon aria-label={`Menu of ${name}`}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="edit" />} onClick={edit}>
              Edit
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="trash" />} className="danger-item" onClick={() => void remove()}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}

/**
 * Returns the person for whom an automation acts, undefined if that is an integration, and what keeps it from acting. Of tokens of
 * integrations, only admins can read whether they are still valid.
 */
function useOwner(id: string, isAdmin: boolean) {
  const now = useNow()
  const people = useQuery(peopleQuery).data
  const person = byId(people).get(id)
  const tokens = useQuery({ ...tokensQuery, enabled: isAdmin && people !== undefined && !person }).data
  const token = tokens?.find((one) => one.id === id)
  const owner = person ? { person } : token ? { token } : null
  return { person, hint: owner && ownerHint(owner, isAdmin, now) }
}

function Sentence({ automation }: { automation: Automation }) {
  const { on_status, to_status, query, graph_id, outputs, targets } = automation
  const statuses = useQuery(schemaQuery).data?.statuses ?? []
  const labelOf = (status: string) => statuses.find(({ value }) => value === status)?.label ?? status
  const matching = ruleWords(query, useFilterFields() ?? [])
  const graph = useOutputs(graph_id)
  return (
    <>
      <p>
        When a task enters <strong>{labelOf(on_status)}</strong>
        {matching === '' ? '' : ` and ${matching}`}, run{' '}
        <Link to="/graphs/$graph_id" params={{ graph_id }}>
          {graph.name ?? 'its graph'}
        </Link>
        {targets.length > 0 ? ` up to ${targets.join(', ')}` : ''}
        {outputs.length > 0 ? (
          <>
            , put <strong>{outputs.map((output) => outputWords(output, graph.outputs ?? [])).join(', ')}</strong> on its
            card
          </>
        ) : (
          ', put nothing on its card'
        )}
        {to_status === null ? '.' : ', and move it to '}
        {to_status === null ? null : (
          <>
            <strong>{labelOf(to_status)}</strong>.
          </>
        )}
      </p>
      {graph.isGone ? (
        <p className="problem">Its graph is deleted: choose another, or restore it. Until then, its tasks fail.</p>
      ) : graph.error ? (
        <p className="problem">
          Its graph could not be read. {wordsOf(graph.error)}{' '}
          <Button size="compact-xs" variant="default" onClick={graph.retry}>
            Try again
          </Button>
        </p>
      ) : null}
    </>
  )
}

/**
 * Deletes an automation and offers to undo that. The service cannot restore an automation, so Undo creates a new one with the same
 * content. The new one is the last in the list, and acts on behalf of the user who pressed Undo. If the automation was broken, for
 * example because its graph is deleted, the service accepts it only switched off, so it comes back switched off.
 */
function useRemove(automation: Automation): () => Promise<void> {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: automationsQuery.queryKey })
  const again = async ({ name, enabled, on_status, query, graph_id, targets, outputs, to_status }: Automation) => {
    const body = { name, enabled, on_status, query, graph_id, targets, outputs, to_status }
    try {
      await call('createAutomation', { body }).catch(async (error: unknown) => {
        if (!enabled || !hasCode(error, 'invalid')) throw error
        await call('createAutomation', { body: { ...body, enabled: false } })
        tellError(error, `“${name}” is back, but switched off`)
      })
      await refresh()
    } catch (error) {
      tellError(error, 'Not brought back')
    }
  }
  return async () => {
    try {
      // Reads the automation again, because the list may still show it as it was before the last change.
      const all = await client.fetchQuery({ ...automationsQuery, staleTime: 0 })
      const now = all.find(({ id }) => id === automation.id) ?? automation
      await call('deleteAutomation', { params: { automation_id: now.id } })
      tellUndoable(`Deleted “${now.name}”`, () => void again(now))
    } catch (error) {
      tellError(error, 'Not deleted')
    }
    await refresh()
  }
}
