// Facts about how a guest link is described.
import { guestExamples } from '@atelier/contract/examples/guest-examples.ts'
import { expect, test } from 'vitest'
import type { Person } from '../lib/types.ts'
import { guestLinkWords } from './guest-link-words.ts'

const maker: Person = {
  ...{ id: 'maker', name: 'Ada', email: null, image_url: null, role: 'writer' },
  ...{ active: true, created_at: '2026-01-01T00:00:00.000Z' },
}
const by = { user_id: maker.id, token_id: null, name: 'Ada' }
const link = { ...guestExamples.link, name: 'The client', guests: 1, looked_at: null, by }

test('a link says whom it is for, and who made it', () => {
  expect(guestLinkWords(link, [maker])).toMatch(/^The client: until .*, 1 guest, not opened yet, made by Ada$/)
})

test('that of somebody who is deactivated says so, and that it still works', () => {
  const words = guestLinkWords(link, [{ ...maker, active: false }])
  expect(words).toMatch(/made by Ada, who is deactivated: the link still works$/)
})

test('that of an integration has its name, and one of nobody that is known is somebody’s', () => {
  const gone = { ...maker, id: 'another', active: false }
  expect(guestLinkWords({ ...link, by: { user_id: null, token_id: 't', name: 'Sync' } }, [gone])).toMatch(/by Sync$/)
  expect(guestLinkWords({ ...link, by: { ...by, name: null } }, [gone])).toMatch(/by somebody$/)
})
