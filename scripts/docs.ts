// In charge of `npm run docs`: writes the pages of docs/ that are derived from the contract. Tests hold them to it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { routesDoc } from '../contract/src/openapi/routes-doc.ts'

const docs = path.resolve(import.meta.dirname, '../docs')
writeFileSync(path.join(docs, 'routes.md'), routesDoc())
