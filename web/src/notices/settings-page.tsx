// In charge of the settings page for notices: which kinds are sent by mail or chat, to which address, how often, and when not.
import { digests } from '@atelier/contract/notice-channels.ts'
import { type NoticeKind, noticeKinds, noticeRules } from '@atelier/contract/notice-kinds.ts'
import { Autocomplete, Button, Checkbox, Select, Switch, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { callerQuery } from '../lib/queries.ts'
import type { NoticeSettings } from '../lib/types.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { useChoices } from '../ui/use-choices.ts'
import { useWrite } from '../ui/use-write.ts'
import { ChatForm, TestButton } from './channel-forms.tsx'
import { noticeSettingsQuery } from './queries.ts'
import '../ui/people.css'
import './notices.css'

export function NoticeSettingsPage() {
  useDocumentTitle('Settings of notices · Atelier')
  const caller = useQuery(callerQuery)
  if (caller.isPending) return <Loading what="your settings" />
  if (!caller.data) return <Failed error={caller.error} retry={() => void caller.refetch()} />
  if (caller.data.user) return <Settings isAdmin={caller.data.scopes.includes('admin')} />
  return (
    <Empty icon="bell" title="Notices are for people">
      You use the token of an integration.
    </Empty>
  )
}

function Settings({ isAdmin }: { isAdmin: boolean }) {
  const settings = useQuery(noticeSettingsQuery)
  if (settings.isPending) return <Loading what="your settings" />
  if (!settings.data) return <Failed error={settings.error} retry={() => void settings.refetch()} />
  const { mail, chat, workspace_chat } = settings.data
  return (
    <div className="page notice-settings">
      <div className="page-head">
        <div>
          <h1>Settings of notices</h1>
          <p>
            “<Link to="/notices">For me</Link>” always shows everything. Here you say what also reaches you outside the
            app.
          </p>
        </div>
      </div>
      <Kinds settings={settings.data} />
      <MailState settings={settings.data} isAdmin={isAdmin} />
      <section>
        <h2>Chat</h2>
        <p className="hint">
          Messages go to an incoming webhook of Slack, Mattermost, Microsoft Teams or Discord: the chat makes its
          address for a channel. Keep it to yourself, as whoever has it can post there. Without an address of yours,
          messages go to the workspace’s, with your name in front.
        </p>
        {mail.is_set_up ? null : (
          <p className="hint">
            Links in messages need <code>PUBLIC_URL</code>, which an operator sets. Without it they open on the machine
            of the service only.
          </p>
        )}
        <ChatForm
          label="Your address"
          chat={chat}
          write={(next) => call('patchNoticeSettings', { body: { chat: next } })}
        />
        <TestButton channel="chat" disabled={chat === null && workspace_chat === null} />
        {isAdmin ? (
          <ChatForm
            label="The workspace’s address"
            chat={workspace_chat}
            write={(next) => call('setWorkspaceChat', { body: { chat: next } })}
          />
        ) : (
          <p className="hint">
            {workspace_chat
              ? `The workspace’s address is at ${workspace_chat.host ?? 'a place that cannot be read any more; tell an admin'}.`
              : 'The workspace has no address; an admin can set one.'}
          </p>
        )}
      </section>
      <When settings={settings.data} />
    </div>
  )
}

const channels = [
  { name: 'mail_kinds', label: 'Mail' },
  { name: 'chat_kinds', label: 'Chat' },
] as const

type Tick = { name: (typeof channels)[number]['name']; kind: NoticeKind; checked: boolean }

/** Returns the list of kinds of a channel with one kind added or taken out. */
const withTick = (settings: NoticeSettings, { name, kind, checked }: Tick): NoticeKind[] =>
  noticeKinds.filter((one) => (one === kind ? checked : settings[name].includes(one)))

/** A list of kinds as it is shown once a box is ticked or unticked (`tick`), until the service has answered. */
type Ticked = Partial<Pick<NoticeSettings, 'mail_kinds' | 'chat_kinds'>> & { tick: Tick }

function Kinds({ settings: saved }: { settings: NoticeSettings }) {
  const { choose, shownOf } = useChoices<NoticeSettings, Ticked>({
    record: noticeSettingsQuery.queryKey,
    // The list is read again and sent with this box only: another page of the same person may have changed other boxes meanwhile.
    write: async ({ tick }) => {
      const now = await call('getNoticeSettings')
      return call('patchNoticeSettings', { body: { [tick.name]: withTick(now, tick) } })
    },
  })
  const settings = shownOf(saved)
  return (
    <div className="panel">
      <table className="rows" aria-label="What reaches you where">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">App</th>
            {channels.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {noticeKinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{noticeRules[kind].label}</th>
              <td className="notice-always">Always</td>
              {channels.map(({ name, label }) => (
                <td key={name}>
                  <Checkbox
                    aria-label={`${noticeRules[kind].label}: ${label}`}
                    checked={settings[name].includes(kind)}
                    onChange={({ currentTarget: { checked } }) => {
                      const tick = { name, kind, checked }
                      choose({ [name]: withTick(settings, tick), tick })
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MailState({ settings: { mail }, isAdmin }: { settings: NoticeSettings; isAdmin: boolean }) {
  return (
    <section>
      <h2>Mail</h2>
      {mail.is_set_up ? null : (
        <p className="hint">
          This service sends no mail yet. An operator sets <code>ATELIER_SMTP_URL</code>, <code>ATELIER_MAIL_FROM</code>{' '}
          and <code>PUBLIC_URL</code>; docs/configuration.md has an example.
        </p>
      )}
      {mail.address === null ? (
        <p className="hint">
          You have no address of mail here.{' '}
          {isAdmin ? <Link to="/people">Add one</Link> : 'An admin can add one on the page of people.'}
        </p>
      ) : (
        <p className="hint">Mail goes to {mail.address}.</p>
      )}
      <TestButton channel="mail" disabled={!mail.is_set_up || mail.address === null} />
    </section>
  )
}

const zones = Intl.supportedValuesOf('timeZone')
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

type Timing = Partial<Pick<NoticeSettings, 'digest' | 'digest_at' | 'quiet' | 'time_zone'>>

function When({ settings }: { settings: NoticeSettings }) {
  const client = useQueryClient()
  /** What was filled in and is not saved yet. Only this is sent: another page of the same person may have saved the rest. */
  const [changed, setChanged] = useState<Timing>({})
  const change = (next: Timing) => setChanged({ ...changed, ...next })
  const { digest, digest_at, quiet, time_zone } = { ...settings, ...changed }
  const save = useWrite({
    write: async () => {
      const { digest_at: at, ...body } = changed
      // Its field is shown for the daily one only: nobody would find out which time is missing.
      const sent = at !== undefined && digest === 'daily' ? { ...body, digest_at: at } : body
      return { sent: changed, saved: await call('patchNoticeSettings', { body: sent }) }
    },
    list: noticeSettingsQuery.queryKey,
    done: ({ sent, saved }) => {
      client.setQueryData(noticeSettingsQuery.queryKey, saved)
      setChanged((now) => (now === sent ? {} : now))
      tell('Saved when you get messages')
    },
  })
  return (
    <section>
      <h2>When</h2>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(undefined)
        }}
      >
        <Select
          label="Send"
          description="What came since stands in one message"
          data={Object.entries(digests).map(([value, label]) => ({ value, label }))}
          value={digest}
          onChange={(value) => change({ digest: value === 'hourly' || value === 'daily' ? value : 'at_once' })}
        />
        {digest === 'daily' ? (
          <TextInput
            type="time"
            required
            label="At"
            value={digest_at}
            onChange={({ currentTarget }) => change({ digest_at: currentTarget.value })}
          />
        ) : null}
        <Switch
          label="Quiet hours"
          description="What comes then waits until they end"
          checked={quiet !== null}
          onChange={({ currentTarget }) =>
            change({ quiet: currentTarget.checked ? { from: '20:00', to: '08:00' } : null })
          }
        />
        {quiet === null ? null : (
          <>
            <TextInput
              type="time"
              required
              label="From"
              value={quiet.from}
              onChange={({ currentTarget }) => change({ quiet: { ...quiet, from: currentTarget.value } })}
            />
            <TextInput
              type="time"
              required
              label="To"
              value={quiet.to}
              onChange={({ currentTarget }) => change({ quiet: { ...quiet, to: currentTarget.value } })}
            />
          </>
        )}
        <Autocomplete
          label="Time zone"
          description={ownZone === time_zone ? 'That of this browser' : `This browser’s: ${ownZone}`}
          required
          data={[...new Set([ownZone, 'UTC', ...zones])]}
          limit={50}
          value={time_zone}
          onChange={(value) => change({ time_zone: value })}
        />
        {/* It is not disabled meanwhile: a disabled button would lose the focus. */}
        <Button type="submit" size="sm" aria-busy={save.isPending}>
          Save
        </Button>
      </form>
    </section>
  )
}
