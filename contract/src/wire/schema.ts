// In charge of the schema types from which the schemas of all resources are built.
import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox'
import { breaking } from '../one-line.ts'
import type { VocabularyName } from '../vocabulary.ts'
import { valueError } from './validation-errors.ts'

/** Allows null besides the schema's own values. `type` becomes a list, because `anyOf` would report two errors for one value. */
export function Nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  const plain: { type?: unknown; enum?: readonly unknown[] } & TSchema = schema
  return Type.Unsafe<Static<T> | null>({
    ...plain,
    ...(typeof plain.type === 'string' ? { type: [plain.type, 'null'] } : {}),
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
    ...options,
  })
}

/** An enumeration that a deployment cannot replace; its values are in the declared order. */
export function Enumeration<const V extends readonly string[]>(values: V, options: TSchemaOptions = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** A value from one of the deployment's vocabularies; at its start, the server fills in the allowed values. */
export function Vocabulary(name: VocabularyName, options: TSchemaOptions = {}) {
  return Type.Unsafe<string>({ type: 'string', 'x-vocabulary': name, ...options })
}

/** Any JSON value; nothing is checked. */
export const AnyJson = (description: string) => Type.Unsafe<unknown>({ description })

/** An object with any members; the members are not checked. */
export const OpenObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const DateTime = (options: TSchemaOptions = {}) => Type.String({ format: 'date-time', ...options })

export const Id = (options: TSchemaOptions = {}) => Type.String({ ...options })

/**
 * The id of another record in a request body. The schema checks only the form of the id; the transaction checks that the record
 * exists.
 */
export const Reference = (options: TSchemaOptions = {}) => Type.String({ minLength: 1, maxLength: 64, ...options })

/** The SHA-256 digest of a file, by which files are named. `options` has to say which file. */
export const Digest = (options: TSchemaOptions) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', 'x-error': valueError('must be the SHA-256 digest of a file'), ...options })

/** One line of text, without control characters and without blanks at either end. */
export const Line = (maxLength: number, options: TSchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^\\s${breaking}](?:[^${breaking}]*[^\\s${breaking}])?$`,
    'x-error': valueError('must be one line of text without control characters and without blanks at either end'),
    ...options,
  })

export const Text = (maxLength: number, options: TSchemaOptions = {}) => Type.String({ maxLength, ...options })

/** A text that is not blank. */
export const Words = (maxLength: number, options: TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', 'x-error': valueError('must not be blank'), ...options })

export const Count = (options: TSchemaOptions = {}) => Type.Integer({ minimum: 0, ...options })

/** An object that may have only the declared members: a request with another member is refused. */
export function Closed<P extends Record<string, TSchema>>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}
