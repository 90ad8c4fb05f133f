// In charge of the page of products: the things that are advertised, each with the code that appears in the names of creatives.

import { Button, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { dateWords } from '../lib/dates.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { callerQuery, productsQuery } from '../lib/queries.ts'
import type { Product } from '../lib/types.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import '../ui/people.css'
import { useWrite } from '../ui/use-write.ts'
import { NameInRow, readNow } from './name-in-row.tsx'

export function ProductsPage() {
  useDocumentTitle('Products · Atelier')
  useReloadScroll()
  const products = useQuery(productsQuery)
  const canWrite = useQuery(callerQuery).data?.scopes.includes('tasks:write') ?? false
  if (products.isPending) return <Loading what="the products" />
  if (!products.data) return <Failed error={products.error} retry={() => void products.refetch()} />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Products</h1>
          <p>
            What is advertised. The code stands for a product in the names of its creatives and stays when it is
            renamed.
          </p>
        </div>
      </div>
      {canWrite ? <AddProduct /> : null}
      {products.data.length === 0 ? (
        <Empty icon="product" title="No products yet">
          Tasks name the product they advertise.
        </Empty>
      ) : (
        <div className="panel">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Code</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {products.data.map((product) => (
                <Row key={product.id} product={product} canWrite={canWrite} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function Row({ product, canWrite }: { product: Product; canWrite: boolean }) {
  const client = useQueryClient()
  return (
    <tr>
      <td>
        <NameInRow
          row={product}
          canWrite={canWrite}
          list={productsQuery.queryKey}
          read={() => client.fetchQuery({ ...productsQuery, ...readNow })}
          write={(name) => call('patchProduct', { params: { product_id: product.id }, body: { name } })}
        />
      </td>
      <td className="mono">{product.code}</td>
      <td className="date">{dateWords(product.created_at)}</td>
    </tr>
  )
}

function AddProduct() {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const add = useWrite({
    write: (given: { name: string; code: string }) => {
      const code = given.code.trim()
      return call('createProduct', { body: { name: given.name.trim(), ...(code === '' ? {} : { code }) } })
    },
    list: productsQuery.queryKey,
    quiet: true,
  })
  const submit = () => {
    const emptied = () => {
      // What the user has typed meanwhile, for the next product, stays.
      setName((now) => (now === name ? '' : now))
      setCode((now) => (now === code ? '' : now))
    }
    add.mutate({ name, code }, { onSuccess: emptied })
  }
  const codeProblem = fieldError(add.error, 'code')
  const problem = add.isError && !codeProblem ? (fieldError(add.error, 'name') ?? wordsOf(add.error)) : null
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label="New product"
        placeholder="Name"
        maxLength={120}
        error={problem}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Code"
        placeholder="Made from the name"
        maxLength={40}
        error={codeProblem}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={name.trim() === ''} loading={add.isPending}>
        Add
      </Button>
    </form>
  )
}
