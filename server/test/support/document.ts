// In charge of checking requests and responses against the OpenAPI document, as a validating proxy would.
import { openapi } from '@atelier/contract/openapi/openapi.ts'
import type { Vocabularies } from '@atelier/contract/vocabulary.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Media = { schema: object }
type Answer = { $ref?: string; content?: Record<string, Media> }
type Operation = {
  operationId: string
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}
type Json = { paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, Answer> } }

/** A request and its response; bodies are parsed JSON, or null if there was no body. */
type Exchange = {
  method: string
  path: string
  sent: unknown
  status: number
  type: string
  body: unknown
}

export type Document = {
  /**
   * Throws if the document does not allow an exchange: an undeclared status or media type, or a body that breaks its schema.
   */
  check(exchange: Exchange): void
}

const made = new WeakMap<Vocabularies, Document>()

/** Returns the checker for a deployment with these vocabularies; it is made once for each of them. */
export function documentOf(vocabulary: Vocabularies): Document {
  const known = made.get(vocabulary) ?? createDocument(vocabulary)
  made.set(vocabulary, known)
  return known
}

/** Error codes of responses that any operation may give although the document does not declare their status for it. */
const anywhere = new Set(['route_not_found', 'method_not_allowed'])

function createDocument(vocabulary: Vocabularies): Document {
  const text = JSON.stringify(openapi({ vocabulary, publicUrl: null, version: '0.0.0' }))
  const json: Json = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(JSON.parse(text), 'document')
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>()
  const validatorAt = (...where: (string | number)[]) => {
    const pointer = where
      .map((part) => encodeURIComponent(`${part}`.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
  const patterns = Object.keys(json.paths).map((path) => ({ path, regExp: patternOf(path) }))
  const pathOf = (pathname: string) =>
    pathname in json.paths ? pathname : patterns.find(({ regExp }) => regExp.test(pathname))?.path

  const conform = (what: string, where: (string | number)[], value: unknown): void => {
    const validate = validatorAt(...where)
    if (validate(value)) return
    throw new Error(`${what} breaks the document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
  }

  /** The place in the document of the schema for a response body; null if there is no schema, or if the body is not JSON. */
  const schemaOf = (what: string, place: string[], answer: Answer, { status, type, body }: Exchange) => {
    const shared = answer.$ref?.split('/').at(-1)
    const content = shared === undefined ? answer.content : json.components.responses[shared]?.content
    const media = Object.keys(content ?? {}).find((known) => known === '*/*' || type.startsWith(known))
    if (content && media === undefined)
      throw new Error(`${what} as ${type}; the document says ${Object.keys(content)}.`)
    if (!content && body !== null) throw new Error(`${what} with a body; the document has none.`)
    if (media === undefined || !/json/.test(media)) return null
    const at = shared === undefined ? [...place, 'responses', status] : ['components', 'responses', shared]
    return [...at, 'content', media, 'schema']
  }

  const checkAnswer = (what: string, place: string[], { operationId, responses }: Operation, exchange: Exchange) => {
    const { status, body } = exchange
    const answer = responses[status]
    if (answer) {
      const schema = schemaOf(what, place, answer, exchange)
      if (schema) conform(what, schema, body)
      if (status === 422) requireInputs(what, body)
    } else if (!anywhere.has(Object(body).code)) {
      throw new Error(`${what}, which the document does not declare of ${operationId}: ${JSON.stringify(body)}`)
    }
  }

  return {
    check(exchange) {
      const { method, path: url, sent, status } = exchange
      const path = pathOf(url.split('?', 1)[0] ?? '') ?? ''
      const verb = method.toLowerCase()
      const operation = json.paths[path]?.[verb]
      if (!operation) return
      const what = `${method} ${url.slice(0, 200)}, answered ${status}`
      const place = ['paths', path, verb]
      checkAnswer(what, place, operation, exchange)
      const takesJson = operation.requestBody?.content['application/json']
      if (status < 300 && sent !== null && takesJson) {
        conform(`${what}: what was sent`, [...place, 'requestBody', 'content', 'application/json', 'schema'], sent)
      }
    },
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Throws if an error of a 422 lacks `input`: the document allows that, but clients made for Pydantic's errors expect `input`. */
function requireInputs(what: string, body: unknown): void {
  const { detail }: { detail?: unknown } = Object(body)
  const bare = Array.isArray(detail) ? detail.filter((error) => !('input' in Object(error))) : []
  if (bare.length > 0) throw new Error(`${what} has errors without the input: ${JSON.stringify(bare)}`)
}
