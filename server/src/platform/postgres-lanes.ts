// In charge of brief reads that share a connection: each is sent without waiting for the response to the one before it, so that one
// call of the system carries several of them, each way.
import type pg from 'pg'

/**
 * How many connections are shared, and how many reads may be under way on each. Of a page of cards, most processor time goes into
 * sending the statement and taking its response, and much of that is for each call of the system. With 16 pages under way and two
 * cores, a page took 330 µs with connections of its own, 250 with four that are shared, and 205 with two (decision 45 says how this
 * was measured). One would take no less, and leave all but one core of the database idle.
 */
const [mostLanes, mostUnderWay] = [2, 8]

let ending: Promise<void> | null = null
/**
 * Waits until all requests that have arrived in this turn of the event loop were looked at, so that their reads go out in one call
 * of the system. Pages take 5 % less processor time for it.
 */
const endOfTurn = (): Promise<void> => {
  ending ??= new Promise((resolve) =>
    setImmediate(() => {
      ending = null
      resolve()
    }),
  )
  return ending
}

/** A connection that several reads use at a time, until none is under way. `hasFailed`: one of them failed, so no other is sent over it. */
type Lane = { client: Promise<pg.PoolClient>; underWay: number; hasFailed: boolean }

/**
 * Returns a function that sends a read over a shared connection, or returns null if they are busy enough. A read has to be brief,
 * because those behind it wait for it. As soon as a connection has nothing under way, it is the pool's again. While there is always
 * something, it is not; so at most half of the `connections` are shared.
 */
export function createLanes(
  pool: pg.Pool,
  connections: number,
): (query: pg.QueryArrayConfig) => Promise<unknown[][]> | null {
  const most = Math.min(mostLanes, Math.floor(connections / 2))
  const lanes = new Set<Lane>()

  const hasIdle = (): boolean => pool.idleCount > 0 || pool.totalCount < connections

  const choose = (): Lane | null => {
    let best: Lane | null = null
    for (const lane of lanes) if (best === null || lane.underWay < best.underWay) best = lane
    if (lanes.size < most && (best === null || hasIdle())) best = open()
    return best !== null && best.underWay < mostUnderWay ? best : null
  }
  const open = (): Lane => {
    const lane = { client: pool.connect(), underWay: 0, hasFailed: false }
    lanes.add(lane)
    return lane
  }

  const leave = (lane: Lane): void => {
    lane.underWay -= 1
    if (lane.underWay > 0) return
    lanes.delete(lane)
    lane.client.then(
      (client) => client.release(lane.hasFailed),
      () => undefined, // the pool had no connection to give, which the reads have told
    )
  }

  const send = async (lane: Lane, query: pg.QueryArrayConfig): Promise<unknown[][]> => {
    lane.underWay += 1
    try {
      const client = await lane.client
      await endOfTurn()
      return (await client.query<unknown[]>(query)).rows
    } catch (error) {
      // As of every read that fails, the connection is closed: it may be lost, or have statements prepared that a migration has
      // made invalid, which would fail again.
      lane.hasFailed = true
      lanes.delete(lane)
      throw error
    } finally {
      leave(lane)
    }
  }

  return (query) => {
    const lane = choose()
    return lane && send(lane, query)
  }
}
