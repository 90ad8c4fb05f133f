// Facts about the session of a page.
import { afterEach, expect, test, vi } from 'vitest'
import { signOut } from './session.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a sign-out that the service does not answer as done is an error', async () => {
  const answers = [503, 204].map((status) => new Response(null, { status }))
  vi.stubGlobal('fetch', async () => answers.shift())
  await expect(signOut()).rejects.toMatchObject({ status: 503 })
  await expect(signOut()).resolves.toBeUndefined()
})
