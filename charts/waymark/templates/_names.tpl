{{/* Names, labels and images. */}}

{{- define "waymark.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{/* First part of all names, cut so that "-controller-manager" still fits into the name of a Service. */}}
{{- define "waymark.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $own := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $own | trunc 44 | trimSuffix "-" -}}
{{- end }}

{{- define "waymark.manager" -}}
{{- include "waymark.fullname" . }}-controller-manager
{{- end }}

{{/* The Service, by whose name pods and API server know the controller. */}}
{{- define "waymark.service" -}}
{{- .Values.manager.config.certManagement.webhookServiceName | default (include "waymark.manager" .) -}}
{{- end }}

{{/* The Secret with the certificate. */}}
{{- define "waymark.secret" -}}
{{- .Values.manager.config.certManagement.webhookSecretName | default (printf "%s-webhook-cert" (include "waymark.fullname" .)) -}}
{{- end }}

{{- define "waymark.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "waymark.manager" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{- define "waymark.selectorLabels" -}}
{{- $own := dict
      "app.kubernetes.io/name" (include "waymark.name" .)
      "app.kubernetes.io/instance" .Release.Name
      "app.kubernetes.io/component" "manager" -}}
{{- toYaml (merge $own (.Values.manager.selectorLabels | default dict)) -}}
{{- end }}

{{/* Of every object. */}}
{{- define "waymark.labels" -}}
{{- include "waymark.labelsWith" (dict "root" . "more" (dict)) -}}
{{- end }}

{{/* The same with some of its own, which win over commonLabels: (dict "root" . "more" LABELS). The chart's own win over both. */}}
{{- define "waymark.labelsWith" -}}
{{- $chart := .root.Chart -}}
{{- $own := dict
      "helm.sh/chart" (printf "%s-%s" $chart.Name $chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
      "app.kubernetes.io/name" (include "waymark.name" .root)
      "app.kubernetes.io/instance" .root.Release.Name
      "app.kubernetes.io/version" $chart.AppVersion
      "app.kubernetes.io/managed-by" .root.Release.Service
      "app.kubernetes.io/part-of" "kubeflow" -}}
{{- toYaml (merge $own (.more | default dict) (.root.Values.commonLabels | default dict)) -}}
{{- end }}

{{/* Version of Kubeflow Trainer whose API this is, as v2.3.0. */}}
{{- define "waymark.trainerVersion" -}}
{{- index .Chart.Annotations "trainer.kubeflow.org/version" -}}
{{- end }}

{{/* An image as a reference: (dict "image" {registry, repository, tag} "tag" DEFAULT). */}}
{{- define "waymark.image" -}}
{{- $tag := .image.tag | default .tag -}}
{{- $separator := ternary "@" ":" (hasPrefix "sha256:" $tag) -}}
{{- with .image.registry }}{{ . }}/{{ end }}{{ .image.repository }}{{ with $tag }}{{ $separator }}{{ . }}{{ end }}
{{- end }}
