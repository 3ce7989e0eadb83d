package dev.waymark.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One cluster as this client asks it: every call either answers or throws a {@link
 * TrainerException}, and lists come page by page. Safe for every thread.
 */
final class Cluster implements AutoCloseable {

  /** Objects in a page; each is turned into what is kept of it before the next page comes. */
  private static final long PAGE = 500;

  /**
   * What is read here. By itself the client would load its models of everything that Kubernetes
   * has, more than a thousand classes, with its first watch (fabric8 7.6.1).
   */
  private static final List<Class<? extends KubernetesResource>> KINDS =
      List.of(
          TrainJob.class,
          TrainingRuntime.class,
          ClusterTrainingRuntime.class,
          JobSet.class,
          Job.class,
          Pod.class,
          Event.class,
          ConfigMap.class,
          Status.class);

  /**
   * One for all clients, since it learns each type when it first reads one, which takes a while.
   */
  private static final KubernetesSerialization SERIALIZATION = newSerialization();

  private final KubernetesClient client;
  private final Duration callTimeout;
  private final Failures failures;
  private volatile boolean hasAnswered;

  private Cluster(KubernetesClient client, Duration callTimeout) {
    this.client = client;
    this.callTimeout = callTimeout;
    File kubeconfig = client.getConfiguration().getFile();
    this.failures =
        new Failures(
            client.getMasterUrl().toString().replaceFirst("/+$", ""),
            kubeconfig == null ? null : kubeconfig.toPath());
  }

  /** Opens a client; nothing is asked yet. */
  static Cluster connect(ClusterAccess access) {
    return new Cluster(open(access.config()), access.callTimeout());
  }

  /** Opens fabric8's client; nothing is asked yet. */
  static KubernetesClient open(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(serialization())
        .build();
  }

  /** Reads what a cluster says, as far as this client looks at it. */
  static KubernetesSerialization serialization() {
    return SERIALIZATION;
  }

  private static KubernetesSerialization newSerialization() {
    ObjectMapper mapper = new ObjectMapper().registerModule(new PodModule());
    // They are as long as all else of an object, and nobody here reads them.
    mapper
        .configOverride(ObjectMeta.class)
        .setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("managedFields"));
    KubernetesSerialization serialization =
        new KubernetesSerialization(mapper, /* searchClassloaders= */ false);
    KINDS.forEach(serialization::registerKubernetesResource);
    return serialization;
  }

  /** Where calls go that have no answer of their own here. */
  KubernetesClient client() {
    return client;
  }

  String namespace() {
    return client.getNamespace();
  }

  /** The kubeconfig's context, or else the server's address. */
  String name() {
    NamedContext context = client.getConfiguration().getCurrentContext();
    return context == null || context.getName() == null
        ? client.getMasterUrl().getAuthority()
        : context.getName();
  }

  /**
   * Asks something.
   *
   * @param doing what it is, as in "could not {@code list the TrainJobs of team-a}"
   */
  <T> T call(String doing, Supplier<T> call) {
    try {
      T answer = call.get();
      takeTimeFromNowOn();
      return answer;
    } catch (KubernetesClientException e) {
      if (e.getCode() > 0) {
        takeTimeFromNowOn(); // a refusal is an answer
      }
      throw failures.of(e, doing);
    }
  }

  /**
   * Somebody is there: a long list, or a webhook that thinks it over, may take as long as the
   * caller likes. Each call reads this setting anew (fabric8 7.6.1).
   */
  private void takeTimeFromNowOn() {
    if (!hasAnswered) {
      client
          .getConfiguration()
          .setRequestTimeout((int) Math.min(callTimeout.toMillis(), Integer.MAX_VALUE));
      hasAnswered = true;
    }
  }

  /** A TrainJob. */
  TrainJob trainJob(String namespace, String name) {
    TrainJob job =
        call(
            "read TrainJob " + name,
            () ->
                client
                    .resources(TrainJob.class)
                    .inNamespace(namespace)
                    .withName(ObjectNames.checked("TrainJob", name))
                    .get());
    if (job == null) {
      throw absent("TrainJob " + name + " is not in namespace " + namespace);
    }
    return job;
  }

  /** A runtime, or null if it isn't there. */
  RuntimeResource runtime(RuntimeKind kind, String namespace, String name) {
    ObjectNames.checked(kind.kind(), name);
    return call(
        "read " + kind.kind() + " " + name,
        () ->
            kind == RuntimeKind.CLUSTER_TRAINING_RUNTIME
                ? client.resources(ClusterTrainingRuntime.class).withName(name).get()
                : client
                    .resources(TrainingRuntime.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .get());
  }

  /**
   * What to throw where something isn't there: which of the two is missing, the object or its type,
   * no answer to a single object tells.
   */
  TrainerException absent(String message) {
    boolean typesAreThere =
        call(
            "look for " + TrainerApi.API_VERSION,
            () -> client.getApiResources(TrainerApi.API_VERSION) != null);
    return typesAreThere
        ? new TrainerException.NotFound(message, null)
        : failures.typesMissing(null);
  }

  /**
   * TrainJobs, page by page.
   *
   * @param namespace null: of all namespaces
   * @param selector of labels, as kubectl writes it; or null
   */
  void trainJobs(String namespace, String selector, Consumer<TrainJob> each) {
    pages("list the TrainJobs of " + place(namespace), () -> trainJobs(namespace, selector), each);
  }

  /** The same TrainJobs, to be watched. */
  FilterWatchListDeletable<TrainJob, KubernetesResourceList<TrainJob>, Resource<TrainJob>>
      trainJobs(String namespace, String selector) {
    var all = client.resources(TrainJob.class);
    var there = namespace == null ? all.inAnyNamespace() : all.inNamespace(namespace);
    return selector == null ? there : there.withLabelSelector(selector);
  }

  /**
   * Runtimes of both kinds, the namespaced ones first.
   *
   * @param namespace null: of all namespaces
   */
  void runtimes(String namespace, Consumer<RuntimeResource> each) {
    pages(
        "list the TrainingRuntimes of " + place(namespace),
        () -> {
          var all = client.resources(TrainingRuntime.class);
          return namespace == null ? all.inAnyNamespace() : all.inNamespace(namespace);
        },
        each);
    pages(
        "list the ClusterTrainingRuntimes",
        () -> client.resources(ClusterTrainingRuntime.class),
        each);
  }

  /**
   * Pods that JobSets made; none where they may not be read, since a TrainJob can be told without.
   *
   * @param namespace null: of all namespaces
   * @param jobSet null: of all JobSets
   */
  void pods(String namespace, String jobSet, Consumer<Pod> each) {
    try {
      pages("list the pods of " + place(namespace), () -> pods(namespace, jobSet), each);
    } catch (TrainerException.Denied noRight) {
      // Told as a TrainJob without steps.
    }
  }

  /** The same pods, to be watched. */
  FilterWatchListDeletable<Pod, PodList, PodResource> pods(String namespace, String jobSet) {
    var all =
        namespace == null ? client.pods().inAnyNamespace() : client.pods().inNamespace(namespace);
    return jobSet == null
        ? all.withLabel(JobSetLabels.JOB_SET)
        : all.withLabel(JobSetLabels.JOB_SET, jobSet);
  }

  /** The pods of one TrainJob. */
  List<Pod> podsOf(String namespace, String jobSet) {
    List<Pod> pods = new ArrayList<>();
    pods(
        namespace,
        jobSet,
        pod -> {
          if (JobSetLabels.of(pod, JobSetLabels.JOB_SET).equals(jobSet)) {
            pods.add(pod);
          }
        });
    return pods;
  }

  /** A list in pieces. */
  <T extends HasMetadata, L extends KubernetesResourceList<T>> void pages(
      String doing, Supplier<? extends Listable<L>> list, Consumer<? super T> each) {
    call(
        doing,
        () -> {
          String next = null;
          do {
            L page = list.get().list(page(next));
            page.getItems().forEach(each);
            next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
          } while (next != null && !next.isEmpty());
          return Optional.empty();
        });
  }

  /** The version of what is there now, from which a watch tells of what changes only. */
  static String version(Listable<? extends KubernetesResourceList<?>> list) {
    return list.list(new ListOptionsBuilder().withLimit(1L).build())
        .getMetadata()
        .getResourceVersion();
  }

  private static ListOptions page(String next) {
    return new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build();
  }

  private static String place(String namespace) {
    return namespace == null ? "all namespaces" : "namespace " + namespace;
  }

  @Override
  public void close() {
    client.close();
  }
}
