// In charge of the signature by which two definitions are compared.
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'

/**
 * The signature of a definition: the same for definitions with the same content, in whatever order their members are. The
 * layout is not part of a definition, so it does not count.
 */
export const signatureOf = (definition: unknown): string => sha256Hex(canonicalJson(definition))
