// In charge of a storm: many clients at once delete, restore, rename and create records that share a few tasks and names, while
// purges run and a checker looks for inconsistent snapshots. With the same seed the clients choose from the same random numbers.
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { insertUser } from '../../src/features/people/store.ts'
import type { Services } from '../../src/platform/services.ts'
import { randomNumbers } from './random.ts'
import { checkAfterwards, checkNow, countEvents, type Rows, startLog } from './storm-audit.ts'

/** Stores files for the storm's creatives, and creates a user to be mentioned. */
export async function reviewedIn({ files, database }: Pick<Services, 'files' | 'database'>) {
  const put = (words: string) => files.put(Readable.from([Buffer.from(words)]), 'image/png')
  const stored = await Promise.all(['one', 'two', 'three'].map(put))
  const person = await database.tx((tx) => insertUser(tx, { name: 'A person', email: null, role: 'writer' }))
  return { files: stored.map(({ digest }) => digest), people: [person] }
}

export type Answer = { status: number; code: string | null; data: unknown; text: string }
/** Sends a request to one process of the service, as a user with all rights. */
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export type StormOptions = {
  /** One function for each process; clients are distributed over them. */
  asks: readonly Ask[]
  rows: Rows
  /** The work of the periodic jobs; each job is repeated in a loop, in parallel with the others. */
  jobs: readonly (() => Promise<unknown>)[]
  seconds: number
  /**
   * Whether enough has happened; on a slow machine the storm continues until this is true, for at most eighteen times `seconds`.
   */
  enough?: (seen: Pick<StormReport, 'events' | 'answers' | 'checks'>) => boolean
  seed: number
  clients: number
  tasks: number
  names: number
  /** Digests of the files that creatives get. */
  files: readonly string[]
  /** Ids of the users that are mentioned. */
  people: readonly string[]
}

export type StormReport = {
  /** Operation → status and error code → count. */
  answers: Record<string, Record<string, number>>
  /** Kind of event → how often it is in the log of deletes and restores. */
  events: Record<string, number>
  requests: number
  /** Responses that are not in `expected`, and pairs of responses to the same Idempotency-Key that differ. */
  unexpected: string[]
  violations: string[]
  checks: number
}

export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { rows, jobs, clients, seconds } = options
  await startLog(rows)
  const storm = new Storm(options)
  const { enough = () => true } = options
  const start = performance.now()
  let isEnough = false
  const blowing = () => performance.now() < start + seconds * 1000 * (isEnough ? 1 : 18)
  const violations = new Set<string>()
  let checks = 0
  const repeat = async (work: () => Promise<unknown>, pauseMs: number): Promise<void> => {
    while (blowing()) {
      await work()
      await wait(pauseMs)
    }
  }
  const checker = repeat(async () => {
    for (const violation of await checkNow(rows)) violations.add(violation)
    checks++
    isEnough ||= enough({ events: await countEvents(rows), answers: storm.answers, checks })
  }, 100)
  const players = Array.from({ length: clients }, async (_, index) => {
    const client = new Client(storm, index)
    while (blowing()) await client.act()
  })
  await Promise.all([checker, ...players, ...jobs.map((job) => repeat(job, 20))])
  for (const violation of await checkAfterwards(rows)) violations.add(violation)
  return {
    answers: storm.answers,
    events: await countEvents(rows),
    requests: storm.requests,
    unexpected: storm.unexpected,
    violations: [...violations],
    checks: checks + 1,
  }
}

/** What the clients share: the ids to act on, and the counts of responses. */
class Storm {
  readonly options: StormOptions
  readonly answers: Record<string, Record<string, number>> = {}
  readonly unexpected: string[] = []
  requests = 0
  tasks: string[] = []
  creatives: string[] = []

  constructor(options: StormOptions) {
    this.options = options
  }

  count(operation: string, { status, code, text }: Answer): void {
    this.requests++
    const tally = this.answers[operation] ?? {}
    this.answers[operation] = tally
    const answer = code === null ? String(status) : `${status} ${code}`
    tally[answer] = (tally[answer] ?? 0) + 1
    // A new guest link gets a 422 if the creative that it names was deleted in the meantime.
    const isExpected = expected.has(answer) || (operation === 'share' && status === 422)
    if (!isExpected) this.unexpected.push(`${operation}: ${answer} ${text.slice(0, 500)}`)
  }

  addTask(id: string): void {
    this.tasks.push(id)
    if (this.tasks.length > this.options.tasks * 2) this.tasks.shift()
  }

  addCreative(id: string): void {
    this.creatives.push(id)
    if (this.creatives.length > this.options.tasks * 20) this.creatives.shift()
  }
}

/** Responses that the operations of a storm may get. */
const expected = new Set([
  '200',
  '404 not_found',
  '404 retention_over',
  '409 creative_name_taken',
  '409 task_deleted',
  '409 creative_deleted',
  '409 version_not_current',
  '412 precondition_failed',
  // A guest gets this if the link's task was deleted in the meantime.
  '401 invalid_guest_link',
])

/** How often clients perform each operation, relative to the others. */
const weights = {
  deleteTask: 10,
  restoreTask: 16,
  createCreative: 12,
  createNextCreative: 4,
  createTwice: 2,
  takeName: 2,
  renameCreative: 10,
  changeCreative: 6,
  deleteCreative: 8,
  restoreCreative: 10,
  patchTask: 6,
  patchVariants: 6,
  patchBulk: 6,
  comment: 4,
  launchCreatives: 4,
  launchPacks: 3,
  giveFile: 6,
  review: 6,
  decide: 6,
  share: 3,
  read: 8,
} as const
type Operation = keyof typeof weights
const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)

const statuses = ['backlog', 'in_progress', 'tech_check', 'done'] as const
const languages = ['en', 'de', null] as const

class Client {
  readonly #storm: Storm
  readonly #ask: Ask
  readonly #random: () => number
  #keys = 0
  readonly #index: number

  constructor(storm: Storm, index: number) {
    this.#storm = storm
    this.#index = index
    const { asks, seed } = storm.options
    const ask = asks[index % asks.length]
    if (!ask) throw new Error('A storm needs a process to ask.')
    this.#ask = ask
    this.#random = randomNumbers(seed * 1000 + index)
  }

  /** Performs one operation, chosen by weight; creates a task if there are too few. */
  async act(): Promise<void> {
    const { tasks, options } = this.#storm
    if (tasks.length < options.tasks) return this.#createTask()
    let left = this.#random() * total
    for (const [name, weight] of Object.entries(weights)) {
      left -= weight
      if (left < 0) return this.#operations[name as Operation]() // the name is a key of weights
    }
  }

  readonly #operations: Record<Operation, () => Promise<void>> = {
    deleteTask: () => this.#onTask('delete task', 'DELETE', ''),
    restoreTask: () => this.#onTask('restore task', 'POST', '/restore'),
    createCreative: () => this.#createCreative('create creative', { name: this.#name(), ...this.#doneness() }),
    createNextCreative: () => this.#createCreative('create next creative', { variation_num: this.#upTo(3) + 1 }),
    createTwice: () => this.#createTwice(),
    takeName: () => this.#takeName(),
    renameCreative: () => this.#onCreative('rename creative', 'PATCH', '', { name: this.#name() }),
    changeCreative: () => this.#onCreative('change creative', 'PATCH', '', { ...this.#doneness(), tags: ['ugc'] }),
    deleteCreative: () => this.#onCreative('delete creative', 'DELETE', ''),
    restoreCreative: () => this.#onCreative('restore creative', 'POST', '/restore'),
    patchTask: () =>
      this.#onTask('patch task', 'PATCH', '', { status: this.#pick(statuses), language: this.#pick(languages) }),
    patchVariants: () =>
      this.#onTask('patch variants', 'PATCH', '', { variants: this.#variants(), count: this.#upTo(4) }),
    patchBulk: () => this.#patchBulk(),
    comment: () => this.#onTask('comment', 'POST', '/comments', { text: 'Look again.' }),
    launchCreatives: () =>
      this.#launch('creatives', () => ({ name: this.#name(), ad_id: `1234567890123456${this.#upTo(20)}` })),
    launchPacks: () =>
      this.#launch('packs', () => ({
        task_id: this.#pick(this.#storm.tasks),
        ad_id: `2234567890123456${this.#upTo(20)}`,
      })),
    giveFile: () => this.#onCreative('give file', 'PATCH', '', { file: this.#file() }),
    review: () =>
      this.#onCreative('review', 'POST', '/review-comments', { text: 'Warmer.', mentions: this.#storm.options.people }),
    decide: () => this.#onCreative('decide', 'POST', '/decisions', { file: this.#file(), decision: 'accepted' }),
    share: () => this.#share(),
    read: () => this.#read(),
  }

  async #send(operation: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const answer = await this.#ask(method, `/api/v1${path}`, body, headers)
    this.#storm.count(operation, answer)
    return answer
  }

  async #createTask(): Promise<void> {
    const body = { name: `Storm ${this.#upTo(5)}`, variants: this.#variants(), count: this.#upTo(4) }
    const { status, data } = await this.#send('create task', 'POST', '/tasks', body)
    if (status !== 200) return
    for (let creatives = 0; creatives < 4; creatives++) {
      await this.#createCreative('create creative', { name: this.#name() }, idOf(data))
    }
    this.#storm.addTask(idOf(data))
  }

  async #onTask(operation: string, method: string, path: string, body?: unknown): Promise<void> {
    const id = this.#pick(this.#storm.tasks)
    const { status } = await this.#send(operation, method, `/tasks/${id}${path}`, body, this.#precondition(method))
    if (status === 404) this.#storm.tasks = this.#storm.tasks.filter((known) => known !== id)
  }

  async #onCreative(operation: string, method: string, path: string, body?: unknown): Promise<void> {
    const { creatives } = this.#storm
    if (creatives.length === 0) return this.#operations.createCreative()
    const id = this.#pick(creatives)
    const { status } = await this.#send(operation, method, `/creatives/${id}${path}`, body, this.#precondition(method))
    if (status === 404) this.#storm.creatives = this.#storm.creatives.filter((known) => known !== id)
  }

  async #createCreative(operation: string, body: object, task = this.#pick(this.#storm.tasks)): Promise<void> {
    const { status, data } = await this.#send(operation, 'POST', `/tasks/${task}/creatives`, {
      file: this.#file(),
      ...body,
    })
    if (status === 200) this.#storm.addCreative(idOf(data))
  }

  /** Sends the same request twice at once with one Idempotency-Key; both responses must report the same creative. */
  async #createTwice(): Promise<void> {
    const path = `/tasks/${this.#pick(this.#storm.tasks)}/creatives`
    const key = { 'idempotency-key': `storm-${this.#index}-${this.#keys++}` }
    const body = { name: this.#name(), file: this.#file() }
    const sent = () => this.#send('create creative twice', 'POST', path, body, key)
    const [one, other] = await Promise.all([sent(), sent()])
    if (one.status !== 200 || other.status !== 200) return
    this.#storm.addCreative(idOf(one.data))
    if (one.text !== other.text) this.#storm.unexpected.push(`create creative twice: ${one.text} and ${other.text}`)
  }

  /**
   * Takes the name of a deleted task's creative before restoring the task, since on a slow machine this seldom happens by chance.
   */
  async #takeName(): Promise<void> {
    const [task, other] = [this.#pick(this.#storm.tasks), this.#pick(this.#storm.tasks)]
    const name = `Taken_${this.#index}_${this.#keys++}`
    await this.#createCreative('create creative', { name }, task)
    await this.#send('delete task', 'DELETE', `/tasks/${task}`)
    await this.#createCreative('create creative', { name }, other)
    await this.#send('restore task', 'POST', `/tasks/${task}/restore`)
  }

  async #patchBulk(): Promise<void> {
    const ids = Array.from({ length: 2 + this.#upTo(6) }, () => this.#pick(this.#storm.tasks))
    const patch = { status: this.#pick(statuses), language: this.#pick(languages), variants: this.#variants() }
    await this.#send('patch in bulk', 'POST', '/tasks/bulk', { ids: [...new Set(ids)], patch })
  }

  /** Records up to five launches at once. Launches of creatives name the creative, some by a name that no creative has yet. */
  async #launch(what: 'creatives' | 'packs', one: () => unknown): Promise<void> {
    const launches = Array.from({ length: 1 + this.#upTo(5) }, one)
    await this.#send(`launch ${what}`, 'POST', `/integrations/creative-tests/${what}/launches`, { launches })
  }

  /** Creates a guest link to a task or one creative; a guest enters by the link, comments on the first creative and accepts it. */
  async #share(): Promise<void> {
    const task = this.#pick(this.#storm.tasks)
    const { data: one } = await this.#send('read', 'GET', `/tasks/${task}/creatives?limit=1`)
    const id = /"id":"([^"]+)"/.exec(JSON.stringify(one))?.[1]
    const link = await this.#send('share', 'POST', `/tasks/${task}/guest-links`, {
      ...{ name: 'A client', may_decide: true },
      ...(id && this.#random() < 0.5 ? { creative_ids: [id] } : {}),
    })
    if (link.status !== 200) return
    const secret = member(link.data, 'url').split('#')[1]
    const entered = await this.#send('enter', 'POST', '/guest/enter', { link: secret, name: 'Grace' })
    if (entered.status !== 200) return
    const guest = { authorization: `Bearer ${member(entered.data, 'token')}` }
    const { data } = await this.#send('look as guest', 'GET', '/guest/creatives?limit=1', undefined, guest)
    const text = JSON.stringify(data)
    const [seen, file] = ['creative_id', 'file'].map((name) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1])
    if (!seen) return
    await this.#send('say as guest', 'POST', `/guest/creatives/${seen}/comments`, { text: 'Darker.' }, guest)
    const decision = { file, decision: 'accepted' }
    await this.#send('decide as guest', 'POST', `/guest/creatives/${seen}/decisions`, decision, guest)
  }

  async #read(): Promise<void> {
    const task = this.#pick(this.#storm.tasks)
    const paths = [
      '/tasks/board?limit=5',
      '/tasks/deleted?limit=5',
      `/tasks/${task}?included=true`,
      `/tasks/${task}/creatives`,
    ]
    await this.#send('read', 'GET', this.#pick(paths))
  }

  /** Headers of a request: for one write in twenty, an `if-match` with an ETag that is almost never the current one. */
  #precondition(method: string): Record<string, string> {
    return method !== 'GET' && this.#random() < 0.05 ? { 'if-match': `"${this.#upTo(5)}"` } : {}
  }

  #variants(): unknown[] {
    return Array.from({ length: this.#upTo(3) + 1 }, (_, index) => ({
      key: `v${index}`,
      variation_num: index + 1,
      tag_slugs: this.#random() < 0.5 ? ['hook'] : [],
      completed: this.#random() < 0.3,
    }))
  }

  #doneness(): { completed: boolean; variation_num: number } {
    return { completed: this.#random() < 0.5, variation_num: this.#upTo(4) + 1 }
  }

  #file(): string {
    return this.#pick(this.#storm.options.files)
  }

  #name(): string {
    return `STORM_${String(this.#upTo(this.#storm.options.names)).padStart(3, '0')}`
  }

  #upTo(n: number): number {
    return Math.floor(this.#random() * n)
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#upTo(list.length)] as T // callers pass a list that is not empty
  }
}

/** Parses a response from its status and text. */
export function answerOf(status: number, text: string): Answer {
  const body: unknown = text === '' ? null : JSON.parse(text)
  const member = (name: string): unknown =>
    typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  const code = member('code')
  return { status, code: typeof code === 'string' ? code : null, data: member('data'), text }
}

const member = (data: unknown, name: string): string =>
  typeof data === 'object' && data !== null ? String(Reflect.get(data, name) ?? '') : ''
const idOf = (data: unknown): string => member(data, 'id')
