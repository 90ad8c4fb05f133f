// In charge of the routes for files: uploading and downloading bytes, thumbnails, signed links, and content credentials.
import Type from 'typebox'
import { examples } from '../examples/examples.ts'
import { markExamples } from '../examples/mark-examples.ts'
import { Bytes, FileLink, FileLinksCreate, StoredFile } from '../files.ts'
import { FileCredentials } from '../marks.ts'
import { Closed, Id } from '../wire/schema.ts'
import { route } from './building.ts'
import type { Route } from './route.ts'

const digestParam = Closed({ digest: Id({ description: 'SHA-256 of its bytes, hexadecimal.' }) })

const linkQuery = Closed({
  expires: Type.Optional(Type.Integer({ description: 'Of a signed link: when it ends, in seconds since 1970.' })),
  signature: Type.Optional(Type.String({ description: 'Of a signed link.' })),
})

export const filesRoutes = {
  uploadFile: route({
    id: 'uploadFile',
    method: 'POST',
    path: '/api/v1/files',
    tag: 'Files',
    summary: 'Upload a file',
    description:
      'The body is the file itself, with its own `Content-Type`, whose parameters are not kept. The same bytes again are the same file, as it was first declared.',
    access: 'tasks:write',
    body: Bytes,
    bodyMedia: '*/*',
    data: StoredFile,
    refuses: ['files_unavailable'],
    examples: { body: '(the bytes of the file)', data: examples.file },
  }),
  getFile: route({
    id: 'getFile',
    method: 'GET',
    path: '/api/v1/files/{digest}',
    tag: 'Files',
    summary: 'The bytes of a file',
    description:
      'With its `Content-Type`, and never to be run by a browser: pictures, films and sound may be shown, anything else is to be saved. HEAD answers without the bytes. A signed link (`POST /files/links`) needs no `Authorization` header.',
    access: 'read',
    params: digestParam,
    query: linkQuery,
    linkable: true,
    redirects: true,
    data: Bytes,
    framing: 'file',
    refuses: ['range_not_satisfiable', 'files_unavailable'],
    tagged: true,
  }),
  getThumbnail: route({
    id: 'getThumbnail',
    method: 'GET',
    path: '/api/v1/files/{digest}/thumbnail',
    tag: 'Files',
    summary: 'A picture, small',
    description:
      'WebP of 512 pixels at most on either side, made once and kept. A link to the file (`POST /files/links`) is one to its thumbnail too. 404 for a file that is no picture or cannot be read as one.',
    access: 'read',
    params: digestParam,
    query: linkQuery,
    linkable: true,
    data: Bytes,
    framing: 'file',
    refuses: ['range_not_satisfiable', 'files_unavailable'],
    tagged: true,
  }),
  createFileLinks: route({
    id: 'createFileLinks',
    method: 'POST',
    path: '/api/v1/files/links',
    tag: 'Files',
    summary: 'Addresses of files for `<img src>`',
    description:
      'A row for each digest, in order. A link is good for 15 to 30 minutes, stays the same for 15, and ends at once with the access of whoever asked for it.',
    access: 'read',
    effect: 'read',
    body: FileLinksCreate,
    data: Type.Array(FileLink),
    examples: {
      body: { digests: [examples.fileLink.digest] },
      data: [examples.fileLink],
    },
  }),
  getFileCredentials: route({
    id: 'getFileCredentials',
    method: 'GET',
    path: '/api/v1/files/{digest}/credentials',
    tag: 'Files',
    summary: 'What the marks in a file say',
    description:
      'Its digital source type, and its content credentials (C2PA) as the library reads them: who signed it, whether the signature holds, what was done, from what. Nothing is fetched for it.',
    access: 'read',
    params: Closed({ digest: Id({ description: 'SHA-256 of its bytes, hexadecimal.' }) }),
    data: FileCredentials,
    refuses: ['files_unavailable'],
    examples: { data: markExamples.credentials },
  }),
} as const satisfies Record<string, Route>
