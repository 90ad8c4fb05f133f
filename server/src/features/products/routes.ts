// In charge of the HTTP routes of products: listing, adding and renaming them.
import { slug } from '@atelier/contract/names.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { insertProduct, listProducts, renameProduct } from './store.ts'

export function bindProducts(bind: Bind, { cursors }: Services): void {
  bind(routes.listProducts, async ({ db, query }) =>
    listPage({ cursors, scope: 'products', query }, (after, take) => listProducts(db, after, take), {
      text: ({ text }) => text,
      position: ({ id, name }) => ({ key: name, id }),
    }),
  )

  bind(routes.createProduct, async ({ db, body }) => {
    const code = body.code ?? codeOf(body.name)
    const text = await insertProduct(db, { name: body.name, code })
    if (text === null) throw exists(`A product is called “${body.name}” or has the code “${code}” already.`)
    return { data: json(text) }
  })

  bind(routes.patchProduct, async ({ db, params: { product_id }, body }) => {
    const renamed = await renameProduct(db, product_id, body.name ?? null)
    if (renamed === 'taken') throw exists(`Another product is called “${body.name}”.`)
    if (renamed === null) throw notFound('product', product_id)
    return { data: json(renamed) }
  })
}

/** Derives a code from a product's name. Throws if the name has no letters or digits, so that the request has to contain a code. */
function codeOf(name: string): string {
  const code = slug(name)
  if (code !== '') return code
  throw invalidAt(['body', 'code'], valueError('no code can be made of this name; give one'), null)
}

const exists = (why: string) => new Refusal('product_exists', `${why} Choose another.`)
