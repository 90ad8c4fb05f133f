// Facts about a page of comments with the largest marks: it is read and sent part by part, and is still the page that it would be.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bytesOfRead } from '../../src/platform/http/large-list.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { watchParts } from '../support/watch-parts.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

/** A mark of the most points. They lie on a curve that repeats, so it is stored compressed to a small part of its length. */
const points = Array.from({ length: 100 }, (_, at) => [Math.sin(at / 64) ** 2, Math.cos(at / 64) ** 2])
const mark = { kind: 'strokes', lines: Array.from({ length: 20 }, () => points) }

/** Makes a creative with `count` comments that guests see, of which every second one has the largest mark. */
async function commented(count: number): Promise<{ creative: Body; ids: string[] }> {
  const task = await make.task()
  const creative = await make.creative(task.id, { file: await make.file(`with ${count} marks`, 'image/png') })
  const sent = { text: 'number 1', mark, visibility: 'guests' }
  const { data: first } = await service.post(`/api/v1/creatives/${creative.id}/review-comments`, sent)
  await service.rows(
    `insert into review_comments (id, creative_id, version, text, mark, visibility, by_user, created_at)
     select gen_random_uuid(), creative_id, version, 'number ' || n, case when n % 2 = 1 then mark end, visibility, by_user,
       created_at + n * interval '1 ms'
     from review_comments, generate_series(2, $2::integer) as n where id = $1`,
    [first.id, count],
  )
  const rows = await service.rows<{ id: string }>(
    'select id from review_comments where creative_id = $1 order by created_at',
    [creative.id],
  )
  return { creative, ids: rows.map(({ id }) => id) }
}

test('a page of the largest marks is sent in parts, and has every comment as it is by itself, in its order', async () => {
  const { creative, ids } = await commented(100)
  const path = `/api/v1/creatives/${creative.id}/review-comments`
  const parts = watchParts()
  const { data } = await service.get(`${path}?limit=100`)
  expect(parts.length).toBeGreaterThan(3)
  expect(Math.max(...parts)).toBeLessThan(bytesOfRead * 1.2)
  expect(data.items.map(({ id, text }: Body) => [id, text])).toEqual(ids.map((id, at) => [id, `number ${at + 1}`]))
  expect(data.items.map(({ mark: shown }: Body) => shown)).toEqual(ids.map((_, at) => (at % 2 === 0 ? mark : null)))

  const pages = [(await service.get(`${path}?limit=60`)).data]
  pages.push((await service.get(`${path}?limit=60&cursor=${pages[0].meta.next_cursor}`)).data)
  expect(pages.flatMap(({ items }) => items)).toEqual(data.items)
  expect(pages[1].meta).toEqual({ next_cursor: null })
})

test('a page of usual comments is sent whole', async () => {
  const { creative } = await commented(8)
  const parts = watchParts()
  const { data } = await service.get(`/api/v1/creatives/${creative.id}/review-comments`)
  expect([data.items.length, parts]).toEqual([8, []])
})

test('a comment that is hidden from guests while a page is being sent to one of them is left out', async () => {
  const { creative, ids } = await commented(60)
  const link = await service.post(`/api/v1/tasks/${creative.task_id}/guest-links`, { name: 'The client' })
  const { token } = (
    await service.post('/api/v1/guest/enter', { link: link.data.url.split('#')[1], name: 'Ada' }, { token: null })
  ).data
  const path = `/api/v1/guest/creatives/${creative.id}/comments?limit=100`
  expect((await service.get(path, { token })).data.items).toHaveLength(60)

  let isHidden = false
  watchParts(async () => {
    if (isHidden) return
    isHidden = true
    await service.patch(`/api/v1/review-comments/${ids.at(-1)}`, { visibility: 'internal' })
  })
  const shown = (await service.get(path, { token })).data.items
  expect(shown.map(({ id }: Body) => id)).toEqual(ids.slice(0, -1))
})
