// In charge of `GET /tasks/schema`, which returns what a client needs to know to filter, sort, label and write tasks.
import { automationStates, groupLabels, statusGroups, statusInfo, taskStatuses } from '@atelier/contract/enums.ts'
import { filterFields, operatorsOf } from '@atelier/contract/filter-fields.ts'
import { defaultSort, sortFields } from '@atelier/contract/sort-fields.ts'
import type { Config } from '../../platform/config.ts'

export function taskSchema(config: Config) {
  return {
    filter_fields: filterFields.map((field) => ({
      name: field.name,
      label: field.label,
      type: field.type,
      nullable: field.nullable,
      operators: operatorsOf(field),
      vocabulary: field.vocabulary ?? null,
      values: field.values?.map((value) => ({ value, label: labelOf(value) })) ?? null,
    })),
    // `sortFields` also has the direction in which the web app first sorts by a field, which other clients do not need.
    sort_fields: sortFields.map(({ name, label, nullable, feeds }) => ({ name, label, nullable, feeds })),
    default_sort: defaultSort,
    statuses: taskStatuses.map((value) => ({ value, ...statusInfo[value] })),
    groups: statusGroups.map((value) => ({ value, label: groupLabels[value] })),
    // The states of automations cannot be configured, but the contract lists them among the vocabularies too.
    vocabularies: {
      ...config.vocabulary,
      AutomationState: automationStates.map((value) => ({ value, label: labelOf(value) })),
    },
    name_template: config.nameTemplateText,
    retention_window: config.retention.iso,
    automation_run_timeout: config.automationRunTimeout.iso,
  }
}

const labelOf = (value: string): string => {
  const status = taskStatuses.find((known) => known === value)
  return status ? statusInfo[status].label : value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ')
}
