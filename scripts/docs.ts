// In charge of `npm run docs`: writes docs/routes.md from the contract's routes. A test checks that the file is up to date.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { routesDoc } from '../contract/src/openapi/routes-doc.ts'

const docs = path.resolve(import.meta.dirname, '../docs')
writeFileSync(path.join(docs, 'routes.md'), routesDoc())
