{{/*
What the schema can't say: values that contradict each other, and values of Kubeflow Trainer's chart that ask for something
this chart doesn't do. All that is wrong is told at once.
*/}}
{{- define "waymark.checks" -}}
{{- $problems := list -}}
{{- $config := .Values.manager.config -}}
{{- $upstream := dict
      "deepspeedDistributed" "has no such runtime. MPI runtimes run, so apply yours yourself"
      "mlxDistributed" "has no such runtime. MPI runtimes run, so apply yours yourself"
      "torchtuneDistributed" "has no such runtime, since this version doesn't run torchtune" -}}

{{- if (.Values.jobset).install }}
{{- $problems = append $problems (printf "jobset.install: JobSet is no part of this chart, so that the two are upgraded each by itself. Leave the value out, and install it first:\n    %s" (include "waymark.installJobSet" .)) }}
{{- end }}
{{- if and (hasKey .Values "crds") (eq (toString (.Values.crds).enabled) "false") }}
{{- $problems = append $problems "crds.enabled: the CRDs are in the chart's folder crds. Leave the value out, and use helm install --skip-crds" }}
{{- end }}
{{- if (.Values.dataCache).enabled }}
{{- $problems = append $problems "dataCache.enabled: this version has no data cache; leave the value out" }}
{{- end }}
{{- range $name, $reason := $upstream }}
{{- if contains "enabled:true" (index $.Values.runtimes $name | default dict | toString) }}
{{- $problems = append $problems (printf "runtimes.%s: this chart %s" $name $reason) }}
{{- end }}
{{- end }}

{{- range $value, $name := include "waymark.runtimeNames" . | fromYaml }}
{{- $runtime := index $.Values.runtimes $value }}
{{- if and $runtime.enabled (not $runtime.image.repository) }}
{{- $problems = append $problems (printf "runtimes.%s.image.repository: %s has no image of its own here, because none is built by this project. values.yaml says what must be in it" $value $name) }}
{{- end }}
{{- range $runtime.env }}
{{- if and $runtime.javaToolOptions (eq (toString .name) "JAVA_TOOL_OPTIONS") }}
{{- $problems = append $problems (printf "runtimes.%s.env: JAVA_TOOL_OPTIONS is made of javaToolOptions; put its options there" $value) }}
{{- end }}
{{- end }}
{{- $limits := ($runtime.resources).limits }}
{{- $devices := "(^| )(cpu|nvidia\\.com/(gpu|mig-\\S+)|google\\.com/tpu|huawei\\.com/Ascend910)( |$)" }}
{{- if and $runtime.enabled $limits (not (regexMatch $devices (keys ($limits | default dict) | join " "))) }}
{{- $problems = append $problems (printf "runtimes.%s.resources.limits: cpu must be one of them, or the Kubeflow SDK can't list any runtime" $value) }}
{{- end }}
{{- end }}

{{- if and (gt (int .Values.manager.replicas) 1) (not $config.leaderElection.leaderElect) }}
{{- $problems = append $problems "manager.config.leaderElection.leaderElect: without it every replica reconciles, so manager.replicas must be 1 (or 0)" }}
{{- end }}
{{- if and $config.metrics.auth.enabled (not $config.metrics.secureServing) }}
{{- $problems = append $problems "manager.config.metrics.auth.enabled: needs secureServing: true, since tokens must not travel in the clear" }}
{{- end }}
{{- if eq (trimPrefix "/" $config.health.readinessEndpointName) (trimPrefix "/" $config.health.livenessEndpointName) }}
{{- $problems = append $problems "manager.config.health.livenessEndpointName: must differ from readinessEndpointName" }}
{{- end }}
{{- if and .Values.webhook.caBundle (ne (include "waymark.certificates" .) "operator") }}
{{- $problems = append $problems "webhook.caBundle: is for a certificate of your own, which needs manager.config.certManagement.enable: false (and certManager.enabled: false). Leave it out otherwise" }}
{{- end }}
{{- if not (include "waymark.metricsPort" .) }}
{{- range $user := list "serviceMonitor" "prometheusRule" }}
{{- if (index $.Values $user).enabled }}
{{- $problems = append $problems (printf "%s.enabled: there are no metrics, because manager.config.metrics.bindAddress says not to listen" $user) }}
{{- end }}
{{- end }}
{{- end }}

{{- $taken := dict }}
{{- range $field, $port := dict
      "manager.config.health.healthProbeBindAddress" (include "waymark.healthPort" .)
      "manager.config.metrics.bindAddress" (include "waymark.metricsPort" .)
      "manager.config.statusServer.port" (include "waymark.statusPort" .)
      "manager.config.webhook.port" (int $config.webhook.port | toString) }}
{{- if and $port (hasKey $taken $port) }}
{{- $problems = append $problems (printf "%s: port %s is that of %s already" $field $port (get $taken $port)) }}
{{- end }}
{{- $_ := set $taken $port $field }}
{{- end }}

{{- with $problems }}
{{- fail (printf "the values can't be used:\n- %s" (join "\n- " .)) }}
{{- end }}
{{- end }}

{{/* The command that installs what the controller needs. */}}
{{- define "waymark.installJobSet" -}}
helm install jobset oci://registry.k8s.io/jobset/charts/jobset --version 0.12.0 --namespace jobset-system --create-namespace
{{- end }}
