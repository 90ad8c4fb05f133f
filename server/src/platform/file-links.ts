// In charge of signed links to files: a URL for `<img src>` that is valid only as long as the caller has access.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { FileLink } from '@atelier/contract/files.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { NIL, parse as uuidBytes, stringify as uuidText } from 'uuid'
import type { Actor } from './actor.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'

export type FileLinks = {
  /** Makes links by which this caller can read files and their thumbnails. */
  sign(db: Db, actor: Actor, digests: readonly string[]): Promise<FileLink[]>
  /** The caller that a link to this file was issued to; throws `invalid_link`. */
  authenticate(digest: string, link: SignedQuery): Promise<Actor>
}
export type SignedQuery = { expires: string; signature: string }

/** A link stays the same for this long, so that browsers can cache the file. */
const windowMs = 15 * 60_000
const idBytes = 17
const endedBytes = 6
/** A guest's link has one byte more, so that older versions, which have no guests, reject it. */
const guestBytes = idBytes + 1
const signatureBytes = 32

/**
 * The holder of a link, as the bytes at the start of a signature: kind, id, and, for a person whose access has ended before,
 * the time of its last end. So a link from before that end stays invalid, even if the person has access again.
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

/** When a person's access last ended, in ms; 0 if it never did. */
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

/** Whether a guest with a valid link sees a creative with this file. */
async function isShown(db: Db, guestId: string, digest: string): Promise<boolean> {
  const found = await sql`
    select from guest_creatives s join creatives c on c.id = s.creative_id
    where s.guest_id = ${guestId} and c.file = ${digest} limit 1`.execute(db)
  return found.rows.length > 0
}

/** Whether the person is active, or the token neither expired nor revoked. The operator is neither and always has access. */
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
