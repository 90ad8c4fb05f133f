// In charge of signed links to files, such as for `<img src>`. A link is valid only as long as the caller who got it has access.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { FileLink } from '@atelier/contract/files.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { NIL, parse as uuidBytes, stringify as uuidText } from 'uuid'
import type { Actor } from './actor.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'

export type FileLinks = {
  /** Makes links to files; whoever opens a link can read that file and its thumbnail in this caller's name. */
  sign(db: Db, actor: Actor, digests: readonly string[]): Promise<FileLink[]>
  /** Returns the caller for whom a link to this file was made; throws `invalid_link` if the link is invalid or has expired. */
  authenticate(digest: string, link: SignedQuery): Promise<Actor>
}
export type SignedQuery = { expires: string; signature: string }

/** Within a period of this length, a caller always gets the same link to a file, so that browsers can cache the file. */
const windowMs = 15 * 60_000
const idBytes = 17
const endedBytes = 6
/** A guest's link has one byte more, so that older versions of the service, which know no guests, reject it. */
const guestBytes = idBytes + 1
const signatureBytes = 32

/**
 * The kinds of callers; `nobody` is the operator. A signature begins with bytes that identify the caller: the kind, the id and, if
 * the caller is a person whose access has ended before, the time when that access last ended. So a link from before that time stays
 * invalid even after the person gets access again.
 */
const kinds = ['nobody', 'person', 'token', 'guest'] as const

export function createFileLinks(secret: Buffer, db: Db, clock: Clock): FileLinks {
  const key = createSecretKey(secret)
  const seal = (holder: Buffer, digest: string, expires: string) =>
    createHmac('sha256', key)
      .update(`file-link/v${versions[holder.length] ?? 0}/`)
      .update(holder)
      .update(`${digest}/${expires}`)
      .digest()
  const refuse = (why: string): never => {
    throw new Refusal('invalid_link', `${why} Ask for another: POST /api/v1/files/links.`)
  }

  return {
    async sign(db, actor, digests) {
      const end = (Math.floor(clock.now() / windowMs) + 2) * windowMs
      const expires = String(end / 1000)
      const holder = holderOf(actor, actor.userId === null ? 0 : await endOf(db, actor.userId))
      return digests.map((digest) => {
        const signature = Buffer.concat([holder, seal(holder, digest, expires)]).toString('base64url')
        const query = `expires=${expires}&signature=${signature}`
        const url = `/api/v1/files/${digest}?${query}`
        return {
          digest,
          url,
          thumbnail_url: `/api/v1/files/${digest}/thumbnail?${query}`,
          expires_at: new Date(end).toISOString(),
        }
      })
    },
    async authenticate(digest, { expires, signature }) {
      const bytes = Buffer.from(signature, 'base64url')
      const holder = bytes.subarray(0, -signatureBytes)
      const whole = holder.length in versions && bytes.toString('base64url') === signature
      if (!whole || !timingSafeEqual(seal(holder, digest, expires), bytes.subarray(-signatureBytes))) {
        return refuse('The link is not one that was given out for this file.')
      }
      if (Number(expires) * 1000 <= clock.now()) return refuse('The link has expired.')
      const actor = actorOf(holder)
      if (!(await hasAccess(db, actor, { holder, digest })))
        return refuse('Whoever asked for this link has no access any more.')
      return actor
    },
  }
}

const versions: Record<number, number> = { [idBytes]: 1, [idBytes + endedBytes]: 2, [guestBytes]: 3 }

function holderOf({ userId, tokenId, guest }: Actor, endedAt: number): Buffer {
  if (guest) return Buffer.from([kinds.indexOf('guest'), ...uuidBytes(guest.id), 0])
  const kind = userId ? 'person' : tokenId ? 'token' : 'nobody'
  const id = Buffer.from([kinds.indexOf(kind), ...uuidBytes(userId ?? tokenId ?? NIL)])
  if (endedAt === 0) return id
  const ended = Buffer.alloc(endedBytes)
  ended.writeUIntBE(endedAt, 0, endedBytes)
  return Buffer.concat([id, ended])
}

/** Returns when a person's access last ended, in ms since the epoch; 0 if it never ended. */
async function endOf(db: Db, userId: string): Promise<number> {
  const found = await db.selectFrom('users').select('ended_at').where('id', '=', userId).executeTakeFirst()
  return found?.ended_at ? Math.max(0, Date.parse(found.ended_at)) : 0
}

function actorOf(holder: Buffer): Actor {
  const kind = kinds[holder[0] ?? 0]
  const id = uuidText(holder.subarray(0, idBytes), 1)
  return {
    tokenId: kind === 'token' ? id : null,
    userId: kind === 'person' ? id : null,
    role: null,
    name: null,
    scopes: new Set(['read']),
    ...(kind === 'guest'
      ? { guest: { id, linkId: NIL, taskId: NIL, name: '', mayComment: false, mayDecide: false } }
      : {}),
  }
}

/** Whether the guest's link is still valid and shows a creative that has this file. */
async function isShown(db: Db, guestId: string, digest: string): Promise<boolean> {
  const found = await sql`
    select from guest_creatives s join creatives c on c.id = s.creative_id
    where s.guest_id = ${guestId} and c.file = ${digest} limit 1`.execute(db)
  return found.rows.length > 0
}

/**
 * Whether the caller of a link still has access: a person is active and lost no access since the link was made, a token is neither
 * expired nor revoked, a guest sees a creative with the file. The operator, who is none of these, always has access.
 */
async function hasAccess(
  db: Db,
  { userId, tokenId, guest }: Actor,
  { holder, digest }: { holder: Buffer; digest: string },
): Promise<boolean> {
  if (guest) return isShown(db, guest.id, digest)
  if (userId === null && tokenId === null) return true
  const endedAt = holder.length > idBytes ? holder.readUIntBE(idBytes, endedBytes) : 0
  if (userId !== null && (await endOf(db, userId)) !== endedAt) return false
  const found = await sql`
    select from users where id = ${userId} and active
    union all
    select from tokens where id = ${tokenId} and revoked_at is null and (expires_at is null or expires_at > now())
  `.execute(db)
  return found.rows.length > 0
}
