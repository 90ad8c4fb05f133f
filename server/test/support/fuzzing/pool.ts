// In charge of values from earlier responses for later requests to use: ids by kind of record, revisions, cursors, digests.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'

export type Pool = {
  remember(path: string, headers: Record<string, unknown>, body: unknown): void
  /** A value that an earlier response had under this name; `at` (0 to 1) selects which. Undefined if no response had one. */
  pick(name: string, at: number): string | undefined
  /** Up to twelve known values of any name, from the place on that `at` (0 to 1) selects, and two values that name no record. */
  some(at: number): string[]
}

const collections: Record<string, string> = {
  tasks: 'task_id',
  creatives: 'creative_id',
  comments: 'comment_id',
  graphs: 'graph_id',
  runs: 'run_id',
  automations: 'automation_id',
  products: 'product_id',
  users: 'user_id',
  tokens: 'token_id',
}
const kept = /^(?:id|.*_id|digest|file|next_cursor|etag|name|at|created_at|since|ad_id)$/
/** Maximum number of values kept for each name. */
const most = 60

/** Values in `spared` are never kept: a request that deleted one of these records would take the fuzzer's own access away. */
export function createPool(spared: ReadonlySet<string>): Pool {
  const values = new Map<string, string[]>()
  let turn = 0
  const keep = (name: string, value: string): void => {
    if (value === '' || value.length > 2_000 || spared.has(value)) return
    const known = values.get(name) ?? []
    values.set(name, known)
    if (known.includes(value)) return
    if (known.length < most) known.push(value)
    else known[turn++ % most] = value
  }
  const walkMember = (name: string, member: unknown, idName: string, depth: number): void => {
    if (typeof member !== 'string') walk(member, collections[name] ?? idName, depth + 1)
    else if (kept.test(name)) keep(name === 'id' ? idName : name, member)
  }
  const walk = (value: unknown, idName: string, depth: number): void => {
    if (depth > 5) return
    if (Array.isArray(value)) for (const item of value.slice(0, 10)) walk(item, idName, depth + 1)
    if (!isPlainObject(value)) return
    for (const [name, member] of Object.entries(value).slice(0, 60)) walkMember(name, member, idName, depth)
  }
  return {
    remember(path, headers, body) {
      const named = path.split('/').findLast((part) => part in collections) ?? ''
      walk(body, collections[named] ?? 'id', 0)
      if (typeof headers.etag === 'string') keep('etag', headers.etag)
    },
    pick: (name, at) => {
      const known = values.get(name) ?? []
      return known[Math.floor(at * known.length)]
    },
    some: (at) => {
      const all = [...values].filter(([name]) => name !== 'etag').flatMap(([, known]) => known.slice(-8))
      const start = Math.floor(at * all.length)
      return [...all.slice(start, start + 12), 'x', '019a0000-0000-7000-8000-000000000000']
    },
  }
}
