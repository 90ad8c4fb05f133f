// In charge of the signature by which two definitions are compared.
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'

/** Equal for equal definitions, in whatever order their members were written. Layout is no part of it. */
export const signatureOf = (definition: unknown): string => sha256Hex(canonicalJson(definition))
