// In charge of checking a guest's link, its password, and the token that identifies the guest at later requests.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { withoutTurns } from '@atelier/contract/one-line.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Actor } from '../../platform/actor.ts'
import { bearerToken, hashToken } from '../../platform/auth.ts'
import type { Db } from '../../platform/db.ts'
import { countAttempt, findEntrance, findGuest, forgetAttempts } from './guest-store.ts'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/** Creates a secret for a link or a guest. The prefix lets programs that scan for leaked secrets recognize the secret. */
export const newSecret = (): string => `atg_${randomBytes(32).toString('base64url')}`

/**
 * The name by which a guest is called. It is shown beside “(guest)” and what the guest decided, which must stay readable whatever the
 * name. Throws if no name is left.
 */
export function readableName(given: string): string {
  const name = withoutTurns(given).trim()
  if (name === '')
    throw new Invalid([errorAt(['body', 'name'], valueError('must have a character that can be seen'), given)])
  return name
}

const saltBytes = 16
const keyBytes = 32
const mostAttempts = 10

export async function sealPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  return Buffer.concat([salt, await derive(password.normalize('NFC'), salt, keyBytes)]).toString('base64')
}

async function isPassword(password: string, sealed: string): Promise<boolean> {
  const bytes = Buffer.from(sealed, 'base64')
  const key = await derive(password.normalize('NFC'), bytes.subarray(0, saltBytes), keyBytes)
  return timingSafeEqual(key, bytes.subarray(saltBytes))
}

const gone = () =>
  new Refusal('invalid_guest_link', 'This link does not hold any more. Ask whoever sent it for another one.')

/**
 * Returns the link with this secret. Throws if the link is no longer valid, if the password is missing or wrong, or if there were
 * too many attempts to enter a password.
 */
export async function openLink(db: Db, secret: string, password: string | null) {
  const found = await findEntrance(db, hashToken(secret))
  if (!found) throw gone()
  if (found.password === null) return found
  if (password === null) throw new Refusal('guest_password', 'The link asks for a password.')
  if ((await countAttempt(db, found.id)) > mostAttempts)
    throw new Refusal('guest_password', 'There were too many wrong passwords. Try again in ten minutes.')
  if (!(await isPassword(password, found.password)))
    throw new Refusal('guest_password', 'This is not the password of the link.')
  await forgetAttempts(db, found.id)
  return found
}

/**
 * Returns the function that identifies guests. It reads the guest from the database at each request, so that a link stops working
 * in every process as soon as the link is revoked or expires.
 */
export const guestsOf = (db: Db) => ({
  async authenticate(header: string | undefined): Promise<Actor> {
    const token = bearerToken(header)
    const found = token === null ? undefined : await findGuest(db, hashToken(token))
    if (!found) throw gone()
    const { id, name, link_id: linkId, task_id: taskId, may_comment: mayComment, may_decide: mayDecide } = found
    const guest = { id, name, linkId, taskId, mayComment, mayDecide }
    return { tokenId: null, userId: null, role: null, name, scopes: new Set(), guest }
  },
})
