// Facts about unsaved text that is kept.
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

type Listen = (type: string, listener: (event: { preventDefault: () => void }) => void) => void

const isText = (value: unknown): value is string => typeof value === 'string'

/** Loads the app's modules anew, as a page does, for this person (nobody for a guest). */
async function moduleOf(userId: string | null, stored: Map<string, string>, listen: Listen = () => undefined) {
  vi.resetModules()
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('fetch', async () => Response.json({ token: 'a token', expires_in: 600, user_id: userId }))
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  })
  if (userId !== null) await (await import('./session.ts')).bearer()
  return import('./kept-drafts.ts')
}

/** Returns how the page of this person reads a draft. */
async function pageOf(userId: string | null, stored: Map<string, string>) {
  const page = await moduleOf(userId, stored)
  return (key: string) => page.keptDraft(key, isText)
}

test('the first person who uses a tab after version 0.2.0 gets its drafts, and no draft is saved by itself', async () => {
  const notes = { typed: 'Mine', base: '', left: true }
  const stored = new Map([['atelier.drafts', JSON.stringify({ 'task notes': notes })]])
  expect((await pageOf(null, stored))('task notes')).toBeNull()
  for (const visit of ['first', 'after a reload']) {
    expect((await pageOf('ada', stored))('task notes'), visit).toEqual({ ...notes, left: false })
  }
  expect((await pageOf('grace', stored))('task notes')).toBeNull()
})

test('drafts of version 0.2.0 replace none that the person has kept since', async () => {
  const own = { typed: 'New', base: '', left: true }
  const stored = new Map([
    ['atelier.drafts', JSON.stringify({ 'task notes': { typed: 'Old', base: '', left: true } })],
    ['atelier.drafts ada', JSON.stringify({ 'task notes': own })],
  ])
  expect((await pageOf('ada', stored))('task notes')).toEqual(own)
  expect(stored.has('atelier.drafts')).toBe(false)
})

test('drafts get other keys, which replace none that are there already, or are dropped', async () => {
  const [own, other] = ['Mine', 'Other'].map((typed) => ({ typed, base: '', left: false }))
  const stored = new Map([
    ['atelier.drafts guest', JSON.stringify({ 'a old': own, 'b old': other, 'b new': own, c: own })],
  ])
  const { rekeyDrafts, keptDraft } = await moduleOf(null, stored)
  rekeyDrafts((key) => (key === 'c' ? null : key.replace('old', 'new')))
  const kept = { 'b new': own, 'a new': own }
  for (const [key, draft] of Object.entries(kept)) expect(keptDraft(key, isText)).toEqual(draft)
  expect(JSON.parse(stored.get('atelier.drafts guest') ?? '')).toEqual(kept)
})

test('before the page is closed, the browser asks about the drafts that are shown', async () => {
  const stored = new Map([
    ['atelier.drafts guest', JSON.stringify({ 'of Ann': { typed: 'a', base: '', left: false } })],
  ])
  let ask = (_event: { preventDefault: () => void }) => {}
  const page = await moduleOf(null, stored, (_type, listener) => {
    ask = listener
  })
  page.keysOfDrafts('')
  const isAsked = () => {
    const preventDefault = vi.fn<() => void>()
    ask({ preventDefault })
    return preventDefault.mock.calls.length > 0
  }
  expect(isAsked()).toBe(true)
  const stop = page.askAboutDrafts((key) => key === 'of Ben')
  expect(isAsked()).toBe(false)
  page.askAboutDrafts((key) => key === 'of Ann')
  expect(isAsked()).toBe(true)
  stop()
  expect(isAsked()).toBe(true)
})
