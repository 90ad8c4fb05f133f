// In charge of what tests of launches share: calls to the endpoints for launches and for looking up creatives, and realistic
// campaign ids (`ad_id`).
import { expect } from 'vitest'
import type { Ask, Body, Reply, Service } from './harness.ts'

const root = '/api/v1/integrations/creative-tests'

export type Launch = { ad_id: string; launched_at?: string | null }

/** The endpoints for other systems. `creatives` and `packs` return the rows of a request that must succeed. */
export function doors(service: Service) {
  const rows = async (asked: Promise<Reply>): Promise<Body[]> => {
    const { status, text, data } = await asked
    expect(status, text).toBe(200)
    return data
  }
  const post = (path: string) => (body: unknown, options?: Ask) => service.post(`${root}/${path}`, body, options)
  const [toCreatives, toPacks, toLookup] = ['creatives/launches', 'packs/launches', 'creatives/lookup'].map(post)
  if (!toCreatives || !toPacks || !toLookup) throw new Error('three doors')
  return {
    postCreatives: toCreatives,
    postPacks: toPacks,
    postLookup: toLookup,
    creatives: (...launches: (Launch & { name: string })[]) => rows(toCreatives({ launches })),
    packs: (...launches: (Launch & { task_id: string })[]) => rows(toPacks({ launches })),
    async lookup(body: unknown, options?: Ask): Promise<Body[]> {
      const { status, text, body: answer } = await toLookup(body, options)
      expect(status, text).toBe(200)
      return answer
    },
  }
}

let serial = 0

/** An unused campaign id: 18 digits, too many for a JavaScript number. */
export const freshAdId = (): string => `23852150404${String(++serial).padStart(7, '0')}`
