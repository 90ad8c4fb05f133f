// In charge of the guest links of a task: users create and revoke links, and can copy a link only once, when it is created.
import { Button, Checkbox, CopyButton, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { leadsToOwnMachine } from '../lib/machine-only.ts'
import { everyPage, peopleQuery } from '../lib/queries.ts'
import type { Creative } from '../lib/types.ts'
import { MultiChoice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { tell, tellError } from '../ui/toasts.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { guestLinkWords } from './guest-link-words.ts'

type Props = { taskId: string; creatives: readonly Creative[]; disabled: boolean }

const days = [1, 7, 14, 30, 90]
const secondsADay = 86_400

export function GuestLinks({ taskId, creatives, disabled }: Props) {
  const key = ['guest-links', taskId]
  const links = useQuery({
    queryKey: key,
    queryFn: () => everyPage((query) => call('listGuestLinks', { params: { task_id: taskId }, query })),
  }).data
  const people = useQuery(peopleQuery).data ?? []
  const client = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const rows = useRowsFocus<HTMLUListElement>({ orElse: '.guest-links > button' })
  const refresh = () => void client.invalidateQueries({ queryKey: key })
  const live = (links ?? []).filter(
    ({ revoked_at, expires_at }) => revoked_at === null && Date.parse(expires_at) > Date.now(),
  )
  const revoke = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => call('revokeGuestLink', { params: { link_id: id } }),
    onSuccess: (_link, { name }) => tell(`Revoked the link for ${name}`),
    onError: (error) => tellError(error, 'Not revoked'),
    onSettled: refresh,
  })
  return (
    <section className="guest-links" aria-label="Guests">
      {disabled ? null : (
        <Button variant="default" leftSection={<Icon name="link" size={14} />} onClick={() => setIsOpen(true)}>
          Share with guests
        </Button>
      )}
      <ul {...rows}>
        {live.map((link) => (
          <li key={link.id}>
            <span>{guestLinkWords(link, people)}</span>
            {disabled ? null : (
              <SureButton
                words="Revoke"
                sureWords="Really revoke"
                label={`Revoke the link for ${link.name}`}
                isPending={revoke.isPending && revoke.variables.id === link.id}
                act={() => revoke.mutate(link)}
              />
            )}
          </li>
        ))}
      </ul>
      {isOpen ? <ShareDialog {...{ taskId, creatives, refresh }} close={() => setIsOpen(false)} /> : null}
    </section>
  )
}

type DialogProps = Pick<Props, 'taskId' | 'creatives'> & { refresh: () => void; close: () => void }

function ShareDialog({ taskId, creatives, refresh, close }: DialogProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [may, setMay] = useState({ comment: true, decide: true })
  const [password, setPassword] = useState('')
  const [until, setUntil] = useState('14')
  const make = useMutation({
    mutationFn: () =>
      call('createGuestLink', {
        params: { task_id: taskId },
        body: {
          ...{ name: name.trim(), may_comment: may.comment, may_decide: may.decide },
          creative_ids: chosen.length > 0 ? chosen : null,
          password: password === '' ? null : password,
          expires_in: Number(until) * secondsADay,
        },
      }),
    onSuccess: refresh,
    onError: (error) => tellError(error, 'No link was made'),
  })
  const url = make.data ? new URL(make.data.url, location.origin).href : null
  return (
    <Dialog
      onClose={close}
      title="Share with guests"
      // The link is shown only here and only now, so a click beside the dialog must not lose it.
      closeOnClickOutside={make.isIdle || make.isError}
    >
      {url === null ? (
        <form
          className="share-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!make.isPending) make.mutate()
          }}
        >
          <TextInput
            label="For whom"
            description="Guests do not see this."
            value={name}
            maxLength={100}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <MultiChoice
            label="What"
            placeholder={chosen.length === 0 ? 'All creatives of the task' : ''}
            data={creatives.filter(({ file }) => file !== null).map((one) => ({ value: one.id, label: one.name }))}
            value={chosen}
            onChange={setChosen}
            maxValues={200}
            searchable
          />
          <Checkbox
            label="May comment"
            checked={may.comment}
            onChange={({ currentTarget }) => setMay({ ...may, comment: currentTarget.checked })}
          />
          <Checkbox
            label="May accept or want changes"
            checked={may.decide}
            onChange={({ currentTarget }) => setMay({ ...may, decide: currentTarget.checked })}
          />
          <TextInput
            label="Password"
            description="Six characters or more; empty: none is asked."
            value={password}
            maxLength={200}
            autoComplete="off"
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Select
            label="Holds for"
            data={days.map((count) => ({ value: String(count), label: count === 1 ? 'A day' : `${count} days` }))}
            value={until}
            onChange={(value) => setUntil(value ?? '14')}
          />
          <Button type="submit" disabled={name.trim() === ''} loading={make.isPending}>
            Make the link
          </Button>
        </form>
      ) : (
        <div className="share-form">
          <TextInput
            label="The link, shown this once"
            // The button that had the focus is gone. Without a focus in the dialog, Escape would also close the task below.
            autoFocus
            value={url}
            readOnly
            onFocus={({ target }) => target.select()}
          />
          {leadsToOwnMachine(url) ? (
            <p className="hint">
              It opens on the machine of the service only. Links that guests can open need <code>PUBLIC_URL</code>,
              which an operator sets.
            </p>
          ) : null}
          <CopyButton value={url}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy the link'}</Button>}
          </CopyButton>
        </div>
      )}
    </Dialog>
  )
}
