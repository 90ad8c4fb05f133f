// In charge of the wire shapes of a person's notice settings: which notices are sent by mail or chat, and when.
import Type from 'typebox'
import { type ChatService, chatServices, type Digest, digests, noticeChannels } from './notice-channels.ts'
import { noticeKinds } from './notice-kinds.ts'
import { Closed, Enumeration, Nullable } from './wire/schema.ts'
import { valueError } from './wire/validation-errors.ts'

const chatServiceNames = Object.keys(chatServices) as [ChatService, ...ChatService[]]
const digestNames = Object.keys(digests) as [Digest, ...Digest[]]

const TimeOfDay = (description: string) =>
  Type.String({
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    'x-error': valueError('must be a time of day from 00:00 to 23:59'),
    description,
    examples: ['09:00'],
  })
const Quiet = Closed({
  from: TimeOfDay('When the quiet hours begin.'),
  to: TimeOfDay('When they end; before `from`: on the next day.'),
})
const Kinds = (description: string) =>
  Type.Array(Enumeration(noticeKinds), { maxItems: 100, uniqueItems: true, description })
const timeZone = 'A name of the IANA time zone database, such as Europe/Berlin.'

export const ChatAddress = Closed(
  {
    service: Enumeration(chatServiceNames),
    host: Nullable(Type.String(), {
      description:
        'The host of the address. Null: the address is sealed with a key that the settings have no more; set it again.',
    }),
    ends_with: Nullable(Type.String(), {
      description: 'The last characters of the address, which is never shown whole. Null as `host` is.',
    }),
  },
  { $id: 'ChatAddress', description: 'Where messages to a chat go: an incoming webhook.' },
)
export type ChatAddress = Type.Static<typeof ChatAddress>

const ChatAddressSet = Closed({
  service: Enumeration(chatServiceNames),
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address that the service gave, with https.' }),
})

export const NoticeSettings = Closed(
  {
    mail: Closed({
      is_set_up: Type.Boolean({ description: 'Whether the service sends mail (`ATELIER_SMTP_URL`).' }),
      address: Nullable(Type.String(), {
        description: 'Where mail goes: the address of the person. Null: there is none.',
      }),
    }),
    chat: Nullable(ChatAddress, { description: 'An address of the person’s own; null: there is none.' }),
    workspace_chat: Nullable(ChatAddress, { description: 'Where messages go for people without one of their own.' }),
    mail_kinds: Kinds('What is sent by mail.'),
    chat_kinds: Kinds('What is sent to the chat.'),
    digest: Enumeration(digestNames, { description: 'How often messages are sent; what came since stands in one.' }),
    digest_at: TimeOfDay('When the daily one is sent, in the time zone.'),
    quiet: Nullable(Quiet, { description: 'Hours in which nothing is sent; it waits until they end.' }),
    time_zone: Type.String({ description: timeZone }),
  },
  { $id: 'NoticeSettings', description: 'How the caller is notified outside the app.' },
)
export type NoticeSettings = Type.Static<typeof NoticeSettings>

export const NoticeSettingsPatch = Closed(
  {
    chat: Type.Optional(Nullable(ChatAddressSet, { description: 'Null removes it.' })),
    mail_kinds: Type.Optional(Kinds('What is sent by mail; all other kinds are not.')),
    chat_kinds: Type.Optional(Kinds('What is sent to the chat; all other kinds are not.')),
    digest: Type.Optional(Enumeration(digestNames)),
    digest_at: Type.Optional(TimeOfDay('When the daily one is sent, in the time zone.')),
    quiet: Type.Optional(Nullable(Quiet, { description: 'Null: there are none.' })),
    time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: timeZone })),
  },
  { $id: 'NoticeSettingsPatch' },
)
export type NoticeSettingsPatch = Type.Static<typeof NoticeSettingsPatch>

export const WorkspaceChatSet = Closed({ chat: Nullable(ChatAddressSet) }, { $id: 'WorkspaceChatSet' })

export const NoticeTest = Closed({ channel: Enumeration(noticeChannels) }, { $id: 'NoticeTest' })
export const NoticeTestResult = Closed(
  {
    is_sent: Type.Boolean(),
    said: Type.String({ description: 'What the other server said, in its own words.' }),
  },
  { $id: 'NoticeTestResult' },
)
