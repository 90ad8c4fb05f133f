// In charge of the envelope of most responses, and of paged lists.
import Type, { type TSchema } from 'typebox'
import { Closed, Nullable } from './schema.ts'
import { valueError } from './validation-errors.ts'

/** `{success, data, message, errors}` around a resource. */
export const Envelope = <T extends TSchema>(data: T) =>
  Closed({
    success: Type.Boolean({ default: true }),
    data,
    message: Nullable(Type.String()),
    errors: Nullable(Type.Array(Type.String())),
  })

/** Default page sizes of feeds and lists, and the largest page. */
export const pageSizes = { feed: 24, list: 50, most: 100 } as const

const cursorError = valueError(
  'the cursor does not belong to this list: take it from `meta.next_cursor` of the same route, status, filter, sort and search, or leave it out to start over',
)

/** The position at which a page starts. A valid cursor is at least as long as its signature. */
export const Cursor = Type.String({
  minLength: 1,
  maxLength: 5000,
  pattern: '^[A-Za-z0-9_-]{24,}$',
  'x-error': cursorError,
  description:
    'Opaque keyset cursor: `meta.next_cursor` of the previous page. Good only with the same route, filter, sort and search.',
})

/** The error for a cursor that belongs to another list, or to none. */
export const foreignCursor = (input: unknown) => ({
  ...cursorError,
  loc: ['query', 'cursor'],
  input,
  ctx: { error: {} },
})

/** A keyset-paged list other than a feed. */
export const Page = <T extends TSchema>(item: T) =>
  Closed({
    items: Type.Array(item),
    meta: Closed({ next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })) }),
  })
