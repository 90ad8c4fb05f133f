// In charge of the form for the address of the chat to which notices are sent, and of sending a test message. A saved address is
// never shown in full again.
import { type ChatService, chatServices, type NoticeChannel } from '@atelier/contract/notice-channels.ts'
import { Button, PasswordInput, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import type { NoticeSettings } from '../lib/types.ts'
import { useWrite } from '../ui/use-write.ts'
import { noticeSettingsQuery } from './queries.ts'

type Given = {
  label: string
  chat: NoticeSettings['chat']
  write: (chat: { service: ChatService; url: string } | null) => Promise<unknown>
}

/**
 * How a saved address is shown: the service, the host and the end of the address. `host` is null if the address cannot be
 * decrypted, because it was encrypted with another key than the configured one.
 */
const shownOf = ({ service, host, ends_with }: NonNullable<Given['chat']>): string =>
  host === null
    ? `${chatServices[service]}: cannot be read any more, set it again`
    : `${chatServices[service]}, ${host}, …${ends_with}`

const isService = (value: string | null): value is ChatService => value !== null && value in chatServices

export function ChatForm({ label, chat, write }: Given) {
  const [service, setService] = useState<ChatService>(chat?.service ?? 'slack')
  const [url, setUrl] = useState('')
  const save = useWrite({ write, list: noticeSettingsQuery.queryKey, done: () => setUrl('') })
  return (
    <form
      className="inline-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ service, url })
      }}
    >
      <Select
        label="Chat"
        data={Object.entries(chatServices).map(([value, name]) => ({ value, label: name }))}
        value={service}
        onChange={(value) => (isService(value) ? setService(value) : undefined)}
      />
      <PasswordInput
        className="chat-address"
        label={label}
        autoComplete="off"
        placeholder={chat ? shownOf(chat) : 'https://…'}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={url === ''} loading={save.isPending}>
        {chat ? 'Replace' : 'Set'}
      </Button>
      {chat ? (
        <Button size="sm" variant="default" onClick={() => save.mutate(null)}>
          Remove
        </Button>
      ) : null}
    </form>
  )
}

export function TestButton({ channel, disabled }: { channel: NoticeChannel; disabled: boolean }) {
  const test = useMutation({ mutationFn: () => call('testNotices', { body: { channel } }) })
  return (
    <div className="notice-test">
      <Button size="sm" variant="default" disabled={disabled} loading={test.isPending} onClick={() => test.mutate()}>
        Send me a test by {channel}
      </Button>
      <output>
        {test.data ? `${test.data.is_sent ? 'Sent.' : 'Not sent.'} The answer: ${test.data.said}` : null}
        {test.error ? wordsOf(test.error) : null}
      </output>
    </div>
  )
}
