// Facts about unsaved text that is kept.
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Loads the app's modules anew, as a page does, for this person (nobody for a guest). Returns how the page reads a draft. */
async function pageOf(userId: string | null, stored: Map<string, string>) {
  vi.resetModules()
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', async () => Response.json({ token: 'a token', expires_in: 600, user_id: userId }))
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  })
  if (userId !== null) await (await import('./session.ts')).bearer()
  const page = await import('./kept-drafts.ts')
  return (key: string) => page.keptDraft(key, (value) => typeof value === 'string')
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
