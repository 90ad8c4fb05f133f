// In charge of the signature by which two definitions are compared.
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'

/** Equal for equal definitions, regardless of the order of their members. Layout is not part of it. */
export const signatureOf = (definition: unknown): string => sha256Hex(canonicalJson(definition))
