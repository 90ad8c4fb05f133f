// In charge of docs/routes.md, which lists all routes and is derived from the route table. `npm run docs` writes the file.
import { outsideRoutes } from '../routes/outside-routes.ts'
import { honoursIfMatch, type Route } from '../routes/route.ts'
import { routes, tags } from '../routes/routes.ts'
import { defaultVocabulary } from '../vocabulary.ts'
import { openapi } from './openapi.ts'

type Operation = { requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }

const introduction = `# Routes

Every route of the API: who may call it, what it takes, and what it refuses beyond what every route can refuse. Written by
\`npm run docs\` from [\`contract/src/routes\`](../contract/src/routes); a test compares the two. Paths without a leading slash follow \`/api/v1/\`.

- **Scope**: what the caller's token needs; \`public\` needs no token.
- **Body**: a schema of [\`/openapi.json\`](contract.md); \`inline\` stands in the route itself, \`bytes\` is a file; in brackets where it may be left out.
- **Key**: takes an \`Idempotency-Key\`. **ETag**: answers one; with *match* a write honours \`If-Match\`.
- **Refuses**: codes of [errors](errors.md). Every route can also refuse what its kind can: a missing scope, a missing record, a body that is too large.
`

/** Returns the content of docs/routes.md. */
export function routesDoc(): string {
  const { paths } = openapi({ vocabulary: defaultVocabulary, publicUrl: null, version: '0' }) as {
    paths: Record<string, Record<string, Operation>>
  }
  const bodyOf = (route: Route): string => {
    if (route.body === null) return ''
    const content = paths[route.path]?.[route.method.toLowerCase()]?.requestBody?.content ?? {}
    const reference = content['application/json']?.schema.$ref
    const name = content['application/json'] ? (reference?.split('/').at(-1) ?? 'inline') : 'bytes'
    return route.bodyOptional ? `(${name})` : name
  }
  const row = (route: Route): string =>
    tableRow(
      route.method,
      `\`${route.path.replace(/^\/api\/v1\//, '')}\``,
      route.summary,
      `\`${route.access}\``,
      bodyOf(route),
      route.idempotent ? 'yes' : '',
      route.tagged ? (honoursIfMatch(route) ? 'match' : 'yes') : '',
      route.refuses.map((code) => `\`${code}\``).join(' '),
    )
  const all: Route[] = Object.values(routes)
  const sections = Object.keys(tags)
    .map((tag) => ({ tag, own: all.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0)
    .map(({ tag, own }) => [`## ${tag}`, '', ...heading, ...own.map(row), ''].join('\n'))
  const outside = Object.values(outsideRoutes).map(({ method, path, summary, tagged, refuses }) =>
    tableRow(method, `\`${path}\``, summary, tagged ? 'yes' : '', refuses.map((code) => `\`${code}\``).join(' ')),
  )
  return [
    introduction,
    ...sections,
    '## Outside /api/v1: operators, documentation, browsers\n',
    tableRow('Method', 'Path', 'What', 'ETag', 'Refuses'),
    '|---|---|---|---|---|',
    ...outside,
    '',
  ].join('\n')
}

const heading = [
  tableRow('Method', 'Path', 'What', 'Scope', 'Body', 'Key', 'ETag', 'Refuses'),
  '|---|---|---|---|---|---|---|---|',
]

function tableRow(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}
