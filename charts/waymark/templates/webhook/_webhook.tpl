{{/*
One webhook: (dict "root" . "role" "validator" "verb" "validate" "kind" "trainjob" "optional" true). One that is optional skips
objects with the label trainer.kubeflow.org/webhook-validation: disabled.
*/}}
{{- define "waymark.webhook" -}}
- name: {{ .role }}.{{ .kind }}.trainer.kubeflow.org
  admissionReviewVersions: [v1]
  clientConfig:
    service:
      name: {{ include "waymark.service" .root }}
      namespace: {{ .root.Release.Namespace }}
      path: /{{ .verb }}-trainer-kubeflow-org-v1alpha1-{{ .kind }}
      port: 443
    {{- if eq (include "waymark.certificates" .root) "operator" }}
    {{- with .root.Values.webhook.caBundle }}
    caBundle: {{ . }}
    {{- end }}
    {{- end }}
  failurePolicy: {{ .root.Values.webhook.failurePolicy }}
  sideEffects: None
  timeoutSeconds: {{ int .root.Values.webhook.timeoutSeconds }}
  {{- if .optional }}
  objectSelector:
    matchExpressions:
      - key: trainer.kubeflow.org/webhook-validation
        operator: NotIn
        values: [disabled]
  {{- end }}
  rules:
    - apiGroups: [trainer.kubeflow.org]
      apiVersions: [v1alpha1]
      resources: [{{ .kind }}s]
      operations: [CREATE, UPDATE]
{{- end }}

{{/* Metadata of a webhook configuration: (dict "root" . "name" NAME). The names are fixed: the controller puts its authority there. */}}
{{- define "waymark.webhookMetadata" -}}
name: {{ .name }}
labels:
  {{- include "waymark.labelsWith" (dict "root" .root "more" (dict "app.kubernetes.io/component" "webhook")) | nindent 2 }}
{{- $annotations := .root.Values.webhook.annotations | default dict }}
{{- if eq (include "waymark.certificates" .root) "cert-manager" }}
{{- $injected := printf "%s/%s" .root.Release.Namespace (include "waymark.secret" .root) }}
{{- $annotations = merge (dict "cert-manager.io/inject-ca-from" $injected) $annotations }}
{{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
