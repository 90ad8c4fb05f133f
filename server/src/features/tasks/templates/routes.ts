// In charge of the HTTP routes of task templates: listing, reading, adding, changing and deleting them.
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { json } from '../../../platform/http/answer.ts'
import type { Bind } from '../../../platform/http/bind.ts'
import { listPage } from '../../../platform/http/list.ts'
import type { Services } from '../../../platform/services.ts'
import { checkTask } from '../write.ts'
import { changeTemplate, deleteTemplate, insertTemplate, listTemplates, readTemplate } from './store.ts'

export function bindTaskTemplates(bind: Bind, { cursors }: Services): void {
  bind(routes.listTaskTemplates, async ({ db, query }) =>
    listPage({ cursors, scope: 'task-templates', query }, (after, take) => listTemplates(db, after, take), {
      text: ({ text }) => text,
      position: ({ id, name }) => ({ key: name, id }),
    }),
  )

  bind(routes.getTaskTemplate, async ({ db, params: { template_id } }) =>
    answerTemplate(await readTemplate(db, template_id), template_id),
  )

  bind(routes.createTaskTemplate, async ({ db, body, actor }) => {
    const brief = await checkTask(db, body.brief, ['body', 'brief'])
    const text = await insertTemplate(db, { name: body.name, brief }, actor)
    if (text === null) throw exists(body.name)
    return { data: json(text) }
  })

  bind(routes.patchTaskTemplate, async ({ db, params: { template_id }, body: { name, brief } }) => {
    const checked = brief && (await checkTask(db, brief, ['body', 'brief']))
    const text = await changeTemplate(db, template_id, { name, brief: checked })
    if (text === 'taken') throw exists(name ?? '')
    return answerTemplate(text, template_id)
  })

  bind(routes.deleteTaskTemplate, async ({ db, params: { template_id } }) =>
    answerTemplate(await deleteTemplate(db, template_id), template_id),
  )
}

function answerTemplate(text: string | null, id: string) {
  if (text === null) throw notFound('template', id)
  return { data: json(text) }
}

const exists = (name: string) =>
  new Refusal('template_exists', `A template is called “${name}” already. Choose another name, or change that one.`)
