// In charge of compressing each built file once, during the build, so that the server does not compress files itself.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const worthIt = /\.(?:js|css|html|svg|json|txt)$/

export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'atelier-precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir)
    },
    // Vite calls `writeBundle` only after a successful build. `closeBundle` is also called after a failed build: an error that is
    // thrown there, because files are missing, would hide the error of the build.
    writeBundle: async () => {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter((file) => worthIt.test(file)).map((file) => compress(path.join(folder, file))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, await toBrotli(bytes, { params }))
  await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }))
}
