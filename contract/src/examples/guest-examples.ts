// In charge of the example records for guests and guest links that the documentation shows.
import type { GuestCreative, GuestLink } from '../guests.ts'
import { examples } from './examples.ts'
import { reviewExamples } from './review-examples.ts'

const { comment: said, version } = reviewExamples
const rights = { may_comment: true, may_decide: true }
const expires_at = '2026-03-18T12:00:00.000Z'

const link: GuestLink = {
  id: '019a3c61-6c8e-7a01-8c52-4f9d6e3b2a0c',
  ...{ task_id: examples.ids.task, name: 'The client', creative_ids: null, ...rights, has_password: false },
  ...{ expires_at, revoked_at: null, by: said.by, created_at: said.created_at, guests: 1, looked_at: null },
}
const made = { ...link, url: 'https://atelier.example/guest#atg_…' }
const entered = { token: 'atg_…', name: 'Grace', ...rights, expires_at }
const creative: GuestCreative = {
  ...{ creative_id: examples.ids.creative, name: examples.creative.name, version: version.number },
  ...{ file: version.file, media_type: version.media_type, size: version.size },
  ...{ url: examples.fileLink.url, thumbnail_url: examples.fileLink.thumbnail_url, ...rights },
  ...{ decision: null, note: null },
}
const { id, version: number, thread_id, text, mark, from_seconds, created_at } = said
const comment = {
  ...{ id, version: number, thread_id, by_name: 'Grace (guest)', mine: true, text, mark, from_seconds, created_at },
  resolved: false,
}

export const guestExamples = { link, made, entered, creative, comment }
