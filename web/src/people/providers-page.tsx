// In charge of the page of model providers, for admins. The page shows where each provider's API key comes from; admins can set,
// replace and remove the keys that the app stores, and test any key.
import { Button, PasswordInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { callerQuery, providersQuery } from '../lib/queries.ts'
import type { Provider } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { tell } from '../ui/toasts.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useWrite } from '../ui/use-write.ts'
import '../ui/people.css'

export function ProvidersPage() {
  useDocumentTitle('Providers · Atelier')
  const caller = useQuery(callerQuery)
  const isAdmin = caller.data?.scopes.includes('admin') ?? false
  const providers = useQuery({ ...providersQuery, enabled: isAdmin })
  if (caller.isPending || (isAdmin && providers.isPending)) return <Loading what="the providers" />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Providers</h1>
          <p>
            Whose models nodes ask. A key that is given here is sealed at once, holds everywhere, and is never shown
            again.
          </p>
        </div>
      </div>
      {!isAdmin ? (
        <Empty icon="key" title="Only admins see this">
          An admin of this workspace gives the keys of providers.
        </Empty>
      ) : providers.data ? (
        <Providers items={providers.data.items} canStore={providers.data.can_store} />
      ) : (
        <Failed error={providers.error} retry={() => void providers.refetch()} />
      )}
    </div>
  )
}

function Providers({ items, canStore }: { items: readonly Provider[]; canStore: boolean }) {
  const [given, setGiven] = useState<Provider | null>(null)
  const rows = useRowsFocus<HTMLTableSectionElement>()
  return (
    <>
      {canStore ? null : (
        <p className="notice" data-tone="warning">
          Keys cannot be kept here yet: an operator sets <code>ATELIER_SECRETS_KEY</code> (
          <code>openssl rand -hex 32</code>) in every process and starts them again. Keys of the settings work without
          it.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the table may have no button to focus, and must scroll on phones. */}
      <section className="panel" aria-label="Providers of models" tabIndex={0}>
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Provider</th>
              <th scope="col" className="wide-cell">
                Makes
              </th>
              <th scope="col">Key</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody {...rows}>
            {items.map((provider) => (
              <Row key={provider.name} provider={provider} canStore={canStore} give={() => setGiven(provider)} />
            ))}
          </tbody>
        </table>
      </section>
      {given ? <GiveKey provider={given} close={() => setGiven(null)} /> : null}
    </>
  )
}

type RowProps = { provider: Provider; canStore: boolean; give: () => void }

function Row({ provider, canStore, give }: RowProps) {
  const { name, title, host, kinds, source, can_check, set_at } = provider
  /** What the provider said of the key that was set at `setAt`. It says nothing of a key that has replaced that one. */
  const [said, setSaid] = useState<{ works: boolean | null; words: string; setAt: string | null } | null>(null)
  const check = useWrite({
    write: async () => ({ ...(await call('checkProviderKey', { params: { provider: name } })), setAt: set_at }),
    list: ['none'],
    done: setSaid,
  })
  const mayGive = canStore && source !== 'settings' && host !== null
  return (
    <tr>
      <th scope="row">
        {title} <span className="hint mono">{name}:</span>
        <div className="hint">{host ?? 'An operator says where it is: ATELIER_PROVIDER_URLS'}</div>
      </th>
      <td className="wide-cell">{kinds.join(', ')}</td>
      <td>
        <KeyWords provider={provider} />
        {said?.setAt === set_at ? (
          <div role="status" className={said.works === false ? 'problem' : 'hint'}>
            {said.words}
          </div>
        ) : null}
      </td>
      <td className="row-actions">
        {(source === 'app' || source === 'settings') && can_check ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Try it: the key of ${title}`}
            loading={check.isPending}
            onClick={() => check.mutate(undefined)}
          >
            Try it
          </Button>
        ) : null}{' '}
        {mayGive ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={source === 'none' ? `Give a key of ${title}` : `Replace the key of ${title}`}
            onClick={give}
          >
            {source === 'none' ? 'Give a key' : 'Replace'}
          </Button>
        ) : null}{' '}
        {source === 'app' || source === 'unreadable' ? <RemoveKey provider={provider} /> : null}
      </td>
    </tr>
  )
}

function RemoveKey({ provider: { name, title } }: { provider: Provider }) {
  const client = useQueryClient()
  const remove = useWrite({
    write: () => call('removeProviderKey', { params: { provider: name } }),
    list: providersQuery.queryKey,
    done: () => {
      tell(`The key of ${title} was taken away`)
      void client.invalidateQueries({ queryKey: ['node-types'] })
    },
  })
  return (
    <SureButton
      words="Remove"
      sureWords="Really remove"
      label={`Remove the key of ${title}`}
      isPending={remove.isPending}
      act={() => remove.mutate(undefined)}
    />
  )
}

function KeyWords({ provider: { source, last4, set_at, set_by } }: { provider: Provider }) {
  const now = useNow()
  if (source === 'settings') return 'By the settings'
  if (source === 'none') return <span className="hint">None</span>
  return (
    <>
      {source === 'unreadable' ? (
        <span className="problem">Cannot be opened: its key is not in ATELIER_SECRETS_KEY. Give it anew.</span>
      ) : (
        <span className="mono">…{last4}</span>
      )}
      <div className="hint">
        {set_by?.name ?? 'Somebody'} gave it {set_at === null ? '' : agoWords(set_at, now)}
      </div>
    </>
  )
}

function GiveKey({ provider: { name, title }, close }: { provider: Provider; close: () => void }) {
  const [key, setKey] = useState('')
  const client = useQueryClient()
  const give = useWrite({
    write: () => call('setProviderKey', { params: { provider: name }, body: { key: key.trim() } }),
    list: providersQuery.queryKey,
    quiet: true,
    done: ({ can_check }) => {
      void client.invalidateQueries({ queryKey: ['node-types'] })
      tell(`The key of ${title} is kept${can_check ? ': “Try it” asks whether it is the right one' : ''}`)
      close()
    },
  })
  const problem = fieldError(give.error, 'key')
  return (
    <Dialog onClose={close} title={`The key of ${title}`}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate(undefined)
        }}
      >
        <PasswordInput
          data-autofocus
          label="Key"
          description="As the provider shows it once. What it allows is billed to the account it belongs to."
          required
          maxLength={4096}
          autoComplete="off"
          error={problem}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {give.isError && !problem ? (
          <p className="problem" role="alert">
            {wordsOf(give.error)}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={key.trim().length < 8} loading={give.isPending}>
            Keep it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
