// In charge of the envelope most answers come in, and of paged lists.
import Type, { type TSchema } from 'typebox'
import { Closed, Nullable } from './schema.ts'

/** `{success, data, message, errors}` around a resource. */
export const Envelope = <T extends TSchema>(data: T) =>
  Closed({
    success: Type.Boolean({ default: true }),
    data,
    message: Nullable(Type.String()),
    errors: Nullable(Type.Array(Type.String())),
  })

/** A keyset-paged list other than a feed. */
export const Page = <T extends TSchema>(item: T) =>
  Closed({
    items: Type.Array(item),
    meta: Closed({ next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })) }),
  })
