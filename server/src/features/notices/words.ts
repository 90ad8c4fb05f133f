// In charge of the text of messages, for mail and in the format of each chat service. Text that people wrote is escaped wherever a
// format has markup. Pure.

import { type ChatService, chatServices } from '@atelier/contract/notice-channels.ts'
import { type NoticeFacts, type NoticeKind, noticeRules } from '@atelier/contract/notice-kinds.ts'
import { breaking, turning } from '@atelier/contract/one-line.ts'

/** How many notices a message lists at most. For the others, the message states only their number. */
export const mostListed = 20

/**
 * The content of a message. `count` is the number of all its notices; `lines` are the newest of them. `settings` and `all` are
 * links: to the receiver's settings, and to the page with all notices. `to` is the receiver's name.
 */
export type Message = { count: number; lines: readonly Line[]; settings: string; all: string; to: string }
type Line = { sentence: string; excerpt: string | null; link: string }

type Said = NoticeFacts & { kind: NoticeKind; excerpt: string | null }

export function messageOf(
  said: readonly Said[],
  count: number,
  { origin, to }: { origin: string; to: string },
): Message {
  const lines = said.map((notice) => {
    const rule = noticeRules[notice.kind]
    return {
      sentence: oneLine(rule.sentence(notice), 400),
      excerpt: notice.excerpt === null ? null : oneLine(notice.excerpt, 200),
      link: origin + rule.path(notice),
    }
  })
  return { count, lines, settings: `${origin}/notices/settings`, all: `${origin}/notices`, to: oneLine(to, 200) }
}

/** Builds the message with which a person tests a channel. */
export const testMessage = ({ origin, to }: { origin: string; to: string }): Message => ({
  count: 1,
  lines: [
    {
      sentence: 'Atelier can reach you here',
      excerpt: 'You asked for this message in the settings of your notices.',
      link: `${origin}/notices/settings`,
    },
  ],
  settings: `${origin}/notices/settings`,
  all: `${origin}/notices`,
  to: oneLine(to, 200),
})

const unwritten = new RegExp(`[${breaking}${turning}]+`, 'g')

/**
 * Turns a person's text into one line of limited length. Control characters, and characters that change the direction of writing,
 * are replaced by spaces.
 */
export const oneLine = (text: string, most: number): string => {
  const plain = text
    .slice(0, most * 2)
    .toWellFormed()
    .replaceAll(unwritten, ' ')
    .trim()
  return plain.length > most ? `${plain.slice(0, most - 1).toWellFormed()}…` : plain
}

export type MailWords = { subject: string; text: string; html: string }

export function mailWords({ count, lines, settings, all }: Message): MailWords {
  const first = lines[0]?.sentence ?? 'Nothing'
  const more = count - lines.length
  const rest = more > 0 ? `and ${more} more: ${all}` : null
  const paragraphs = lines.map(({ sentence, excerpt, link }) =>
    [sentence, ...(excerpt ? [`> ${excerpt}`] : []), link].join('\n'),
  )
  const why = `You get this because of the settings of your notices: ${settings}`
  return {
    subject: oneLine(count === 1 ? first : `${count} notices: ${first}`, 200),
    text: `${[...paragraphs, ...(rest ? [rest] : []), `-- \n${why}`].join('\n\n')}\n`,
    html: `<!doctype html><html><body>${lines.map(htmlLine).join('')}${
      more > 0 ? `<p><a href="${escapeHtml(all)}">and ${more} more</a></p>` : ''
    }<p><small>You get this because of <a href="${escapeHtml(settings)}">the settings of your notices</a>.</small></p></body></html>`,
  }
}

const htmlLine = ({ sentence, excerpt, link }: Line): string =>
  `<p><a href="${escapeHtml(link)}">${escapeHtml(sentence)}</a></p>${
    excerpt ? `<blockquote>${escapeHtml(excerpt)}</blockquote>` : ''
  }`

const htmlNames: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => htmlNames[one] ?? one)

/** Builds the request body in the format of a chat service. A mention that a person wrote, such as `@channel`, has no effect. */
export function chatBody(service: ChatService, message: Message): object {
  if (service === 'teams') return teamsBody(message)
  const text = chatText(chatMarks[service], message, longestText[service])
  return service === 'discord' ? { username: 'Atelier', content: text, allowed_mentions: { parse: [] } } : { text }
}

/** How many characters a message may have at most. */
const longestText: Record<MarkedService, number> = { slack: 30_000, mattermost: 4000, discord: 2000 }

type MarkedService = Exclude<ChatService, 'teams'>
type Marks = { plain: (text: string) => string; link: (words: string, to: string) => string }

const slackEscape = (text: string): string => text.replace(/[&<>]/g, (one) => htmlNames[one] ?? one)
const markdown: Marks = {
  // The invisible character after the @ (a word joiner) prevents chat services from treating the text as a mention.
  plain: (text) => text.replace(/[\\`*_{}[\]()#+\-.!|<>~:]/g, '\\$&').replaceAll('@', '@\u2060'),
  link: (words, to) => `[${words}](<${to}>)`,
}
const chatMarks: Record<MarkedService, Marks> = {
  slack: { plain: slackEscape, link: (words, to) => `<${to}|${words.replaceAll('|', '¦')}>` },
  mattermost: { ...markdown, link: (words, to) => `[${words}](${to})` },
  discord: markdown,
}

/**
 * Writes a message of at most `most` characters. Only whole lines are left out, so that no link is cut in two: excerpts first, then
 * notices, which the last line counts.
 */
function chatText({ plain, link }: Marks, { count, lines, all, to }: Message, most: number): string {
  const kept = [`${plain(to)}:`]
  const rest = (told: number): string[] => (told < count ? [link(`and ${count - told} more`, all)] : [])
  let told = 0
  for (const { sentence, excerpt, link: at } of lines) {
    const said = link(plain(sentence), at)
    const forms = [...(excerpt ? [[said, `> ${plain(excerpt)}`]] : []), [said]]
    const form = forms.find((one) => [...kept, ...one, ...rest(told + 1)].join('\n').length <= most)
    if (form === undefined) break
    kept.push(...form)
    told++
  }
  return [...kept, ...rest(told)].join('\n')
}

/** Builds an adaptive card, which Teams workflows accept. The card lists only a few notices, since Teams refuses large cards. */
function teamsBody({ count, lines, all, to }: Message): object {
  const shown = lines.slice(0, 5)
  const more = count - shown.length
  const block = (text: string, rest: object) => ({
    type: 'TextBlock',
    wrap: true,
    text: markdown.plain(text),
    ...rest,
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(to, { isSubtle: true }),
            ...shown.flatMap(({ sentence, excerpt }) => [
              block(sentence, { weight: 'Bolder' }),
              ...(excerpt ? [block(excerpt, {})] : []),
            ]),
            ...(more > 0 ? [block(`and ${more} more`, { isSubtle: true })] : []),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: count === 1 ? (lines[0]?.link ?? all) : all }],
        },
      },
    ],
  }
}

/** Returns the name of a chat service as it appears in sentences. */
export const chatName = (service: ChatService): string => chatServices[service]
