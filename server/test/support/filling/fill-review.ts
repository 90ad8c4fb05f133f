// In charge of filling a service with reviews: reviewers, comments with marks, versions, decisions, guests and their links, and with
// task templates. Version 0.2.0 has none of these.
import type { Ids, Speaker } from './fill.ts'

/** Pictures of one pixel: red and blue. */
const pictures = ['P4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'NgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC'].map(
  (end) => `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nG${end}`,
)

export async function fillReview({ ask, send }: Speaker, { writer }: Ids, token: string): Promise<Ids> {
  const brief = { topic: 'Sleep', count: 3, hypothesis: 'Curiosity beats claims.' }
  const template = await ask('POST', '/task-templates', { name: 'Launch in spring', brief })
  const [before, after] = await Promise.all(pictures.map((picture) => upload(picture)))
  const task = await ask('POST', '/tasks', { name: 'In review', status: 'creative_check', assignee_id: writer })
  await ask('PATCH', `/tasks/${task.id}/reviewers`, { needs: 'all', reviewers: [writer], moves_to: 'done' })
  const creative = await ask('POST', `/tasks/${task.id}/creatives`, { file: before, name: 'REVIEWED' })
  const at = `/creatives/${creative.id}`
  const thread = await ask('POST', `${at}/review-comments`, {
    ...{ text: 'The edge is cut off.', visibility: 'guests', mentions: [writer] },
    mark: {
      kind: 'box',
      lines: [
        [
          [0.1, 0.2],
          [0.5, 0.75],
        ],
      ],
    },
  })
  await ask('POST', `${at}/review-comments`, { text: 'By how much?', thread_id: thread.id })
  await ask('POST', `${at}/decisions`, { file: before, decision: 'changes_wanted', note: 'Less blue.' })
  await ask('PATCH', `/review-comments/${thread.id}`, { resolved: true })
  await ask('PATCH', at, { file: after })
  await ask('POST', `${at}/decisions`, { file: after, decision: 'accepted' })

  const links = `/tasks/${task.id}/guest-links`
  const link = await ask('POST', links, { name: 'The client', may_decide: true, expires_in: 365 * 86_400 })
  const revoked = await ask('POST', links, { name: 'The agency', creative_ids: [creative.id], password: 'Kissen!' })
  await ask('DELETE', `/guest-links/${revoked.id}`)
  const guest = await ask('POST', '/guest/enter', { link: String(link.url).split('#')[1], name: 'Grace' })
  await asGuest('comments', { text: 'Make this warmer.' })
  await asGuest('decisions', { file: after, decision: 'changes_wanted' })
  return { template: template.id, task_reviewed: task.id, reviewed: creative.id }

  async function upload(picture: string): Promise<string> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' }
    const answer = await send('POST', '/api/v1/files', { headers, body: Buffer.from(picture, 'base64') })
    const { data }: { data: { digest: string } } = JSON.parse(await answer.text())
    return data.digest
  }

  async function asGuest(what: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${guest.token}`, 'content-type': 'application/json' }
    const path = `/api/v1/guest/creatives/${creative.id}/${what}`
    const answer = await send('POST', path, { headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  }
}
