// In charge of `input.file`: provides an uploaded file as the start of a graph.
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'

export const inputFile = defineNode({
  type: 'input.file',
  title: 'File',
  summary: 'An uploaded file, such as a product picture, a logo or a table.',
  group: 'input',
  help: `
Upload a file, and lead it to the nodes that work on it. A file is known by its content: uploading the same one again
changes nothing and runs nothing again.`,
  params: {
    file: Type.Unsafe<Type.Static<typeof File>>({ ...File, title: 'File', description: 'The uploaded file.' }),
  },
  inputs: {},
  outputs: {
    file: gives('File', 'The file.', File),
    name: gives('Name', 'What the file is called; left out where it has no name.', Type.String()),
  },
  pure: true,
  run: async ({ params: { file } }) => {
    const name = file.name ?? undefined
    return { outputs: name === undefined ? { file } : { file, name } }
  },
})
