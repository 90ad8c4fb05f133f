// Facts about the text of messages: what a person wrote never becomes a header, markup, or a mention of everybody.
import { describe, expect, test } from 'vitest'
import { chatBody, mailWords, messageOf, oneLine } from './words.ts'

const origin = 'https://atelier.example'
const hostile =
  'Eve\r\nBcc: all@example.org\u202e <script>alert(1)</script> @channel @everyone <!channel> [x](http://evil) |'
const task = { id: 't', number: 7, name: hostile }
const notice = {
  ...{ kind: 'mentioned' as const, by: 'Eve\nX: y', task, run: null, creative: null, graph: null },
  excerpt: `${hostile}${'long '.repeat(200_000)}`,
}
const message = messageOf([notice, notice], 10_000, { origin, to: 'Ada\r\nTo: all' })

describe('mail', () => {
  test('has a subject of one bounded line, with the sentence of the notice', () => {
    const one = mailWords(
      messageOf([{ ...notice, by: 'Bob', task: { ...task, name: 'Hooks' } }], 1, { origin, to: '' }),
    )
    expect(one.subject).toBe('Bob mentioned you on #7 “Hooks”')
    const { subject } = mailWords(message)
    expect(subject).toMatch(/^10000 notices: Eve X: y mentioned you on #7 “Eve Bcc: all@example\.org /)
    expect(subject).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(subject.length).toBeLessThanOrEqual(200)
  })

  test('has excerpts that are bounded and escaped, the link to each place, and the way to the settings', () => {
    const { text, html } = mailWords(message)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
    for (const body of [text, html]) {
      expect(body).toContain(`${origin}/tasks/t#comments`)
      expect(body).toContain(`${origin}/notices/settings`)
      expect(body).toContain('and 9998 more')
      expect(body.length).toBeLessThan(5000)
    }
  })
})

describe('a chat gets its own shape', () => {
  const body = (service: Parameters<typeof chatBody>[0]) => JSON.stringify(chatBody(service, message))
  test('Slack: nobody is called, nothing is a link but ours', () => {
    const { text } = chatBody('slack', message) as { text: string }
    expect(text).not.toContain('<!')
    expect(text.match(/<[^>|]+\|/g)).toEqual([
      `<${origin}/tasks/t#comments|`,
      `<${origin}/tasks/t#comments|`,
      `<${origin}/notices|`,
    ])
    expect(text.startsWith('Ada To: all:\n')).toBe(true)
  })
  test('Mattermost: no @channel', () => {
    expect(body('mattermost')).not.toMatch(/@(?:channel|everyone)/)
    expect(body('mattermost')).toContain(`](${origin}/tasks/t#comments)`)
  })
  test('Discord: no mention counts, and no more than it takes', () => {
    const many = messageOf(
      Array.from({ length: 20 }, () => notice),
      20,
      { origin, to: 'Ada' },
    )
    const { content, allowed_mentions } = chatBody('discord', many) as { content: string; allowed_mentions: object }
    expect(allowed_mentions).toEqual({ parse: [] })
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(content).toContain(`(<${origin}/tasks/t#comments>)`)
    expect(content).toMatch(/\n\[and (\d+) more\]\(<https:\/\/atelier\.example\/notices>\)$/)
    const listed = content.match(/\(<https:\/\/atelier\.example\/tasks\/t#comments>\)/g)?.length ?? 0
    expect(content).toContain(`and ${20 - listed} more`)
  })
  test('Mattermost: of what it has no room for, it tells the number, together with what was not listed', () => {
    const many = messageOf(
      Array.from({ length: 20 }, () => notice),
      45,
      { origin, to: 'Ada' },
    )
    const { text } = chatBody('mattermost', many) as { text: string }
    expect(text.length).toBeLessThanOrEqual(4000)
    const listed = text.split(`](${origin}/tasks/t#comments)`).length - 1
    expect(listed).toBeLessThan(20)
    expect(text.endsWith(`\n[and ${45 - listed} more](${origin}/notices)`)).toBe(true)
  })
  test('Teams: an adaptive card with one way in', () => {
    const card = chatBody('teams', messageOf([notice], 1, { origin, to: 'Ada' })) as {
      attachments: { contentType: string; content: { actions: unknown[] } }[]
    }
    expect(card.attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: `${origin}/tasks/t#comments` }] },
    })
  })
})

test('a line is cut where a pair of surrogates is whole', () => {
  expect(oneLine('😀😀😀', 4).isWellFormed()).toBe(true)
  expect(oneLine('a\u0000b\u2028c', 10)).toBe('a b c')
})
