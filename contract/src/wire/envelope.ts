// In charge of the envelope around most responses, and of the schema of paged lists.
import Type, { type TSchema } from 'typebox'
import { Closed, Nullable } from './schema.ts'
import { valueError } from './validation-errors.ts'

/** Returns the schema of the envelope `{success, data, message, errors}` around a resource. */
export const Envelope = <T extends TSchema>(data: T) =>
  Closed({
    success: Type.Boolean({ default: true }),
    data,
    message: Nullable(Type.String()),
    errors: Nullable(Type.Array(Type.String())),
  })

/** The default page size of feeds and of other lists, and the maximum page size. */
export const pageSizes = { feed: 24, list: 50, most: 100 } as const

const cursorError = valueError(
  'the cursor does not belong to this list: take it from `meta.next_cursor` of the same route, status, filter, sort and search, or leave it out to start over',
)

/** A signed text that says at which position of a list a page starts. Signature and position need more than 24 characters. */
export const Cursor = Type.String({
  minLength: 1,
  maxLength: 5000,
  pattern: '^[A-Za-z0-9_-]{24,}$',
  'x-error': cursorError,
  description:
    'Opaque keyset cursor: `meta.next_cursor` of the previous page. Good only with the same route, filter, sort and search.',
})

/** The error for a cursor that was made for another list, or that the service did not make. */
export const foreignCursor = (input: unknown) => ({
  ...cursorError,
  loc: ['query', 'cursor'],
  input,
  ctx: { error: {} },
})

/** The schema of one page of a list other than a feed, with the cursor of the next page. */
export const Page = <T extends TSchema>(item: T) =>
  Closed({
    items: Type.Array(item),
    meta: Closed({ next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })) }),
  })
